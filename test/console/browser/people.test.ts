import type { Page } from 'playwright-core';
import { bookingForm, bookingFormField, ticket } from '#libs/testing';
import { eventually } from '../../harness';
import { AXE, describeInBrowser, look, violationsOf } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('the participants of the console', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo();
  });
  afterAll(() => demo?.close());

  const query = (sql: string, ...values: unknown[]) => demo.api.dataSource.query(sql, values);
  /** An active participant, of an occurrence with several tickets of one price and currency. */
  const someone = async (): Promise<{ id: string; occurrence: string; ticket: string }> => {
    const [found] = await query(
      `SELECT e.participant_id AS id, e.event_occurrence_id AS occurrence, e.ticket_id AS ticket FROM start_list_entries e
       WHERE e.organization_id = $1 AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL AND NOT e.gdpr_redacted
         AND e.reserved_entry_group_id IS NULL AND NOT e.tags && '{mended}' ORDER BY e.participant_id LIMIT 1`,
      demo.organizationId,
    );
    return found;
  };

  it('has the choices of the field for gender, and shows answers in words', async () => {
    const { id } = await someone();
    const { page, context } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/participants/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Gender' }).click();
    await page.getByRole('option', { name: 'Non-binary' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.facts dd', { hasText: /^Non-binary$/ }).waitFor();
    const [{ stored }] = await query(
      `SELECT jsonb_path_query_first(fields::jsonb, '$[*] ? (@.key == "gender").value') AS stored
       FROM start_list_entries WHERE participant_id = $1`,
      id,
    );
    expect(stored).toBe('NON_BINARY');
    await context.close();
  });

  it('shows what someone else changed while a form was open, and saves when asked again', async () => {
    const { id } = await someone();
    const { page, context } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/participants/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First name').fill('Mine');
    await query(
      `UPDATE start_list_entries SET tags = '{theirs}', fields = (
         SELECT json_agg(CASE a->>'key' WHEN 'firstName' THEN a || '{"value": "Theirs"}' WHEN 'lastName' THEN a || '{"value": "Renamed"}' ELSE a END)
         FROM jsonb_array_elements(fields::jsonb) a)
       WHERE participant_id = $1`,
      id,
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    const notice = dialog.getByRole('alert');
    await notice.getByText(/First name: from .* to “Theirs”/).waitFor();
    await notice.getByText('Tags: set to “theirs”').waitFor();
    await look(page, 'participant-meanwhile');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Mine Renamed' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('First name').fill('Mine again');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [{ tags }] = await query('SELECT tags FROM start_list_entries WHERE participant_id = $1', id);
    expect(tags).toEqual(['theirs']);
    await context.close();
  });

  it('tags several, and undoes it', async () => {
    const { occurrence } = await someone();
    const tagged = async () =>
      Number((await query(`SELECT count(*) FROM start_list_entries WHERE tags @> '{browser}'`))[0].count);
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(
      `${demo.api.url}/console/o/demo/participants?eventOccurrenceId=${occurrence}&status=CONFIRMED`,
    );
    await page.getByLabel('Select this page').check();
    const all = page.getByRole('button', { name: /^Select all / });
    if ((await all.count()) > 0) await all.click();
    await look(page, 'participants-selected');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add a tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('browser');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a tag' }).click();
    await page.getByText(/[0-9]+ changed/).waitFor();
    const count = await tagged();
    expect(count).toBeGreaterThan(10);
    await look(page, 'participants-changed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await tagged()) === 0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are fourteen or more at once below a header that stays, in the columns that were chosen', async () => {
    const { page, context, complaints } = await demo.signedIn('VIEWER');
    await page.goto(`${demo.home}/participants`);
    await page.locator('table[aria-busy=false] .row-link').first().waitFor();
    const bottoms = await page
      .locator('tbody tr')
      .evaluateAll((rows: any[]) => rows.map((row) => row.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(14);
    await page.getByText(/^[\d,]+ participants$/).waitFor();
    // A cell tells under the pointer what it cut off.
    const first = page.locator('.row-link').first();
    await first.hover();
    expect(await first.getAttribute('title')).toContain('@example.');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Email' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'ID', exact: true }).click();
    await look(page, 'participants-columns');
    await page.reload();
    await page.getByRole('columnheader', { name: 'ID', exact: true }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Email' }).count()).toBe(0);
    await page.locator('table[aria-busy=false] tbody tr').last().scrollIntoViewIfNeeded();
    expect((await page.getByRole('columnheader', { name: 'Bib' }).boundingBox())?.y).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are found by a few letters on each page, like events, codes, imports and pages', async () => {
    const { id } = await someone();
    const [{ name }] = await query(
      `SELECT (jsonb_path_query_first(fields::jsonb, '$[*] ? (@.key == "lastName").value') #>> '{}') AS name
       FROM start_list_entries WHERE participant_id = $1`,
      id,
    );
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await page.addInitScript({ path: AXE });
    await page.goto(`${demo.home}/developers/keys`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const box = page.getByRole('combobox', { name: 'Search everything' });
    // Enter before there is an answer opens the first match when there is one.
    await page.keyboard.press('Control+k');
    await box.fill(name);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/participants\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: new RegExp(name) }).waitFor();
    await page.keyboard.press('Control+k');
    await box.fill('webh');
    await page.getByRole('option', { name: 'Webhooks' }).waitFor();
    await look(page, 'palette');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/developers\/webhooks$/);
    const [{ title }] = await query(
      'SELECT title FROM event_occurrences WHERE organization_id = $1 LIMIT 1',
      demo.organizationId,
    );
    await page.getByRole('button', { name: 'Search Ctrl K' }).click();
    await box.fill(title);
    await page.getByRole('group', { name: 'Events' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search events' }).waitFor();
    await page.keyboard.press('/');
    await eventually(() =>
      page.evaluate(
        () => (globalThis as any).document.activeElement?.getAttribute('aria-label') === 'Search events',
      ),
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('exports those that are selected by hand', async () => {
    const { occurrence } = await someone();
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(
      `${demo.api.url}/console/o/demo/participants?eventOccurrenceId=${occurrence}&sort=-updatedAt`,
    );
    await page.getByRole('button', { name: 'Registered', exact: true }).click();
    await page.locator('th[aria-sort=descending]', { hasText: 'Registered' }).waitFor();
    const boxes = page.getByRole('row').getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await page.getByRole('button', { name: 'Export 2' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As NDJSON' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are sorted by a column, and on a phone by a choice', async () => {
    const { occurrence } = await someone();
    const { page, context, complaints } = await demo.signedIn('VIEWER');
    await page.goto(`${demo.api.url}/console/o/demo/participants?eventOccurrenceId=${occurrence}`);
    const bibs = async () =>
      (await page.locator('td[data-title=Bib]').allTextContents())
        .filter((bib) => /^\d+$/.test(bib))
        .map(Number);
    await page.locator('th[aria-sort=descending]', { hasText: 'Registered' }).waitFor();
    for (const [title, order] of [
      ['Name', 'ascending'],
      ['Wave', 'ascending'],
      ['Bib', 'ascending'],
      ['Bib', 'descending'],
    ] as const) {
      await page.getByRole('columnheader').getByRole('button', { name: title, exact: true }).click();
      await page.locator(`th[aria-sort=${order}]`, { hasText: title }).waitFor();
      await page.locator('table[aria-busy=false]').waitFor();
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Bib, ascending');
    await page.waitForURL(/sort=bib$/);
    await eventually(async () => {
      const [first = 0, ...others] = await bibs();
      return (
        others.length > 10 && others.reduce((last, bib) => (last <= bib ? bib : Number.NaN), first) >= first
      );
    });
    await look(page, 'participants-sorted');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('asks the questions of the chosen ticket only, and takes no for an answer', async () => {
    const { organizationId, api } = demo;
    const {
      eventOccurrenceId,
      raceId,
      id: adult,
    } = await ticket(api.dataSource, {
      organizationId,
      title: 'Adult',
    });
    const { id: kids } = await ticket(api.dataSource, { organizationId, raceId, title: 'Kids' });
    for (const [label, ticketId, type] of [
      ['Nickname', adult, 'TEXT'],
      ['First race?', kids, 'BOOLEAN'],
    ] as const) {
      const field = await bookingFormField(api.dataSource, { organizationId, label, type, required: true });
      await bookingForm(api.dataSource, { organizationId, fieldIds: [field.id], ticketIds: [ticketId] });
    }
    const { page, context } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.home}/participants?eventOccurrenceId=${eventOccurrenceId}`);
    await page.getByRole('button', { name: 'Add participant' }).click();
    const dialog = page.getByRole('dialog');
    const choose = async (field: string, option: RegExp) => {
      await dialog.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose('Ticket', /Adult$/);
    await dialog.getByLabel('First name').fill('Noa');
    await dialog.getByLabel('Last name').fill('Kid');
    await dialog.getByLabel('Email').fill('noa@example.com');
    await dialog.getByLabel('Nickname').fill('Swift');
    await choose('Ticket', /Kids$/);
    await choose('First race?', /^no$/i);
    await dialog.getByRole('button', { name: 'Add participant' }).click();
    await page.getByRole('heading', { name: 'Noa Kid' }).waitFor();
    const [{ answers }] = await query(
      `SELECT jsonb_path_query_array(fields::jsonb, '$[*] ? (@.type == "TEXT" || @.type == "BOOLEAN").value') AS answers
       FROM start_list_entries WHERE organization_id = $1 AND ticket_id = $2`,
      organizationId,
      kids,
    );
    expect([answers.includes('Swift'), answers.includes(false)]).toEqual([false, true]);
    await context.close();
  });

  /** Lets the next request wait. @returns what lets it go on */
  async function held(page: Page, url: string): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(url, async (route) => {
      if (route.request().method() !== 'GET') await released;
      await route.continue();
    });
    return release;
  }

  it('keeps what is changed while the race day is being saved', async () => {
    const { id } = await someone();
    const { page, context } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.home}/participants/${id}`);
    const release = await held(page, '**/race-day');
    await page.getByRole('textbox', { name: 'Bib' }).fill('LATE-1');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await save.click();
    await page.getByRole('checkbox', { name: 'Checked in' }).check();
    release();
    await saved;
    await page.locator('button:not([data-loading])', { hasText: 'Save' }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Checked in' }).isChecked()).toBe(true);
    await save.click();
    await eventually(async () => {
      const [{ fields }] = await query(
        'SELECT race_day_fields AS fields FROM start_list_entries WHERE participant_id = $1',
        id,
      );
      return JSON.stringify(fields).includes('checkIn');
    });
    await context.close();
  });

  it('removes a race-day number that is cleared, and stores no zero', async () => {
    const { id } = await someone();
    const { page, context } = await demo.signedIn('MANAGER');
    const stored = async () => {
      const [{ fields }] = await query(
        'SELECT race_day_fields AS fields FROM start_list_entries WHERE participant_id = $1',
        id,
      );
      return fields?.find((field: { id: string }) => field.id === 'laps')?.value;
    };
    await page.evaluate(
      ([participant, organization]) =>
        fetch(`/console/v1/participants/${participant}/race-day`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'x-startline-organization': organization as string },
          body: JSON.stringify({ customFields: [{ id: 'laps', value: 12 }] }),
        }),
      [id, demo.organizationId],
    );
    await eventually(async () => (await stored()) === 12);
    await page.goto(`${demo.home}/participants/${id}`);
    const laps = page.getByRole('spinbutton', { name: 'laps' });
    await laps.fill('');
    expect(await laps.inputValue()).toBe('');
    await laps.pressSequentially('-3');
    expect(await laps.inputValue()).toBe('-3');
    await laps.fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => (await stored()) === null);
    await context.close();
  });

  it('takes no values for an event while it is saved, and keeps the questions for other pages', async () => {
    const { occurrence } = await someone();
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.home}/events/${occurrence}/edit`);
    const release = await held(page, '**/console/v1/catalogue');
    await page.getByRole('textbox', { name: 'Title', exact: true }).first().fill('Renamed Run');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('main [inert] input').first().waitFor();
    release();
    await page.getByText('Renamed Run').first().waitFor();
    await eventually(async () => (await page.locator('main [inert]').count()) === 0);
    await page.getByRole('link', { name: 'Race day', exact: true }).click();
    await page.getByRole('link', { name: 'Print', exact: true }).click();
    await page.getByText('Choose what to print').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('adds one, names their other place, and leaves the actions out for those who may only read', async () => {
    const { occurrence } = await someone();
    const { page, context } = await demo.signedIn('MANAGER');
    await query(
      'UPDATE booking_form_fields SET required = false WHERE organization_id = $1',
      demo.organizationId,
    );
    const dialog = page.getByRole('dialog');
    const add = async () => {
      await page.goto(`${demo.api.url}/console/o/demo/participants?eventOccurrenceId=${occurrence}`);
      await page.getByRole('button', { name: 'Add participant' }).click();
      await dialog.getByRole('combobox', { name: 'Ticket' }).click();
      await page.getByRole('option').first().click();
      await dialog.getByLabel('First name').fill('Grace');
      await dialog.getByLabel('Last name').fill('Newcomer');
      await dialog.getByLabel('Email').fill('newcomer@example.com');
      await dialog.getByLabel('Date of birth').fill('1985-05-05');
      await look(page, 'participant-add');
      await dialog.getByLabel('Add even if there is no place left').check();
      await dialog.getByRole('button', { name: 'Add participant' }).click();
    };
    await add();
    await page.getByRole('heading', { name: 'Grace Newcomer' }).waitFor();
    const first = page.url();
    await add();
    await dialog.getByText('This person has another place').waitFor();
    await look(page, 'participant-other-places');
    await dialog.getByRole('link').click();
    await page.waitForURL(first);
    await context.close();
    const viewer = await demo.signedIn('VIEWER');
    await viewer.page.goto(`${demo.api.url}/console/o/demo/participants`);
    await viewer.page.locator('.row-link').first().waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Add participant' }).count()).toBe(0);
    expect(await viewer.page.getByLabel('Select this page').count()).toBe(0);
    await viewer.context.close();
  });
});
