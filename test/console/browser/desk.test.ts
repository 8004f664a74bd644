import type { BrowserContext, Page } from 'playwright-core';
import { booking, ticket } from '#libs/testing';
import { eventually } from '../../harness';
import { describeInBrowser, look, openTab, picture, signInByLink, type Tab } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('the race-day desk', () => {
  let demo: BrowserDemo;
  let serial = 60_140;
  beforeAll(async () => {
    demo = await startBrowserDemo(1_200);
  });
  afterAll(() => demo?.close());

  interface Person {
    id: string;
    bookingId: string;
    name: string;
    bib: string;
  }

  /** People of one race with bibs and names of their own. */
  async function people(count: number): Promise<Person[]> {
    const { organizationId, api } = demo;
    const { id: ticketId } = await ticket(api.dataSource, { organizationId });
    const made: Person[] = [];
    for (let i = 0; i < count; i++) {
      const bib = String(serial);
      serial += 20;
      const name = `Desk${bib}`;
      const fields = ['Ada', name].map((value, n) => ({
        id: crypto.randomUUID(),
        key: n === 0 ? 'firstName' : 'lastName',
        label: n === 0 ? 'First name' : 'Last name',
        type: 'TEXT' as const,
        value,
      }));
      const { id: bookingId, entries } = await booking(api.dataSource, {
        organizationId,
        ticketId,
        entries: [{ fields: fields as never }],
      });
      const id = entries[0]?.participantId as string;
      made.push({ id, bookingId, name, bib });
    }
    const manager = await demo.signedIn('MANAGER');
    for (const { id, bib } of made)
      expect((await patch(manager.page, id, { bibNumber: bib })).status).toBe(200);
    await manager.context.close();
    return made;
  }

  /** As the page sends it. */
  const patch = (page: Page, id: string, body: object): Promise<{ status: number }> =>
    page.evaluate(
      async ([id, body, organization]) => {
        const { status } = await fetch(`/console/v1/participants/${id}/race-day`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'x-startline-organization': organization },
          body: JSON.stringify(body),
        });
        return { status };
      },
      [id, body, demo.organizationId] as const,
    );
  const loggedOf = async (id: string): Promise<number> => {
    const [{ n }] = await demo.api.dataSource.query(
      'SELECT count(*)::int AS n FROM race_day_log WHERE participant_id = $1',
      [id],
    );
    return n;
  };
  const search = async (page: Page, text: string, name: string) => {
    await page.getByRole('searchbox').fill(text);
    await card(page, name).waitFor();
    await page.locator('.desk-list:not([inert])').waitFor();
    if ((await page.locator('.desk-actions').count()) === 0) await page.locator('.desk-head').first().click();
  };
  const card = (page: Page, name: string) => page.locator('.desk-card', { hasText: name });
  const atDesk = async (): Promise<Tab> => {
    const tab = await demo.signedIn('RACE_DAY');
    await tab.page.getByRole('searchbox').waitFor();
    return tab;
  };
  const blocked = (context: BrowserContext) => context.setOffline(true);

  it('leaves no card of an earlier search live, offline and while a search takes time', async () => {
    const [first, second] = (await people(2)) as [Person, Person];
    const { page, context } = await atDesk();
    await search(page, first.bib, first.name);
    const checkIn = page.getByRole('button', { name: 'Check in', exact: true });
    await checkIn.waitFor();

    // While the answer is awaited, the earlier card can't be used.
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/console/v1/participants?search=${second.bib}&**`, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await page.getByRole('searchbox').fill(second.bib);
    await page.getByText('Searching').waitFor();
    expect(await page.locator('.desk-list[inert]').count()).toBe(1);
    answer();
    await card(page, second.name).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    await search(page, first.bib, first.name);
    await blocked(context);
    await page.getByRole('searchbox').fill(second.bib.replace(/.$/, '9'));
    await page.getByText('The server can’t be reached').waitFor();
    expect(await page.locator('.desk-card').count()).toBe(0);
    // What this very search found before can be used.
    await page.getByRole('searchbox').fill(first.bib);
    await card(page, first.name).waitFor();
    await page.locator('.desk-list:not([inert])').waitFor();
    await page.getByText('The server can’t be reached').waitFor();
    await checkIn.click();
    await page.getByText('1 change waits for the connection.').waitFor();
    await picture(page, 'desk-offline');
    await context.close();
  });

  it('never shows a confirmed check-in as undone, however late it is applied', async () => {
    const [person] = (await people(1)) as [Person];
    const { page, context } = await atDesk();
    await search(page, person.bib, person.name);
    // Every state of the card, as it is drawn.
    await page.evaluate(() => {
      const seen: boolean[] = [];
      Object.assign(globalThis, { seen });
      const { document } = globalThis as any;
      const look = () =>
        seen.push(Boolean(document.querySelector('.desk-state')?.textContent.includes('Checked in')));
      new (globalThis as any).MutationObserver(look).observe(document.querySelector('.desk'), {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    // The worker can't apply anything: the race day is locked.
    const lock = demo.api.dataSource.createQueryRunner();
    await lock.query('BEGIN');
    await lock.query("SELECT pg_advisory_xact_lock(hashtextextended('race-day/' || $1, 0))", [
      demo.organizationId,
    ]);
    let reads = 0;
    page.on('response', (response) => {
      if (response.url().includes('/console/v1/participants?')) reads++;
    });
    try {
      await page.getByRole('button', { name: 'Check in', exact: true }).click();
      await eventually(async () => (await loggedOf(person.id)) === 2);
      await card(page, person.name).getByText('Pending').waitFor({ state: 'detached' });
      const before = reads;
      await eventually(async () => reads >= before + 3);
    } finally {
      await lock.query('ROLLBACK');
      await lock.release();
    }
    await eventually(async () => {
      const [{ fields }] = await demo.api.dataSource.query(
        'SELECT race_day_fields AS fields FROM start_list_entries WHERE participant_id = $1',
        [person.id],
      );
      return fields.length === 1;
    });
    const before = reads;
    await eventually(async () => reads >= before + 2);
    const seen: boolean[] = await page.evaluate(() => (globalThis as any).seen);
    expect(seen.slice(seen.indexOf(true))).not.toContain(false);
    // What another desk does afterwards shows.
    expect((await patch(page, person.id, { customFields: [{ id: 'checkIn', value: false }] })).status).toBe(
      200,
    );
    await page.getByRole('button', { name: 'Check in', exact: true }).waitFor();
    await context.close();
  });

  it('tells the desk whose bib is taken who has it, and keeps the previous one: online and queued', async () => {
    const [one, two, three] = (await people(3)) as [Person, Person, Person];
    const [left, right] = [await atDesk(), await atDesk()];
    const setBib = async (page: Page, bib: string) => {
      await page.getByRole('textbox', { name: 'Bib' }).fill(bib);
      await page.getByRole('button', { name: 'Set bib' }).click();
    };
    const shownBib = (page: Page, bib: string) => page.locator('.desk-bib', { hasText: bib }).waitFor();

    // Both want the same bib: the second was offline when it asked.
    await search(left.page, one.name, one.name);
    await search(right.page, two.name, two.name);
    await blocked(right.context);
    await setBib(right.page, 'WANTED');
    await right.page.getByText('1 change waits for the connection.').waitFor();
    await setBib(left.page, 'WANTED');
    await shownBib(left.page, 'WANTED');
    await card(left.page, one.name).getByText('Pending').waitFor({ state: 'detached' });
    await right.context.setOffline(false);
    const alert = right.page.getByRole('alert');
    await alert.getByText('Bib WANTED is taken').waitFor();
    await alert.getByText(`Ada ${one.name} has it.`).waitFor();
    await shownBib(right.page, two.bib);
    await look(right.page, 'desk-taken');
    expect(await loggedOf(two.id)).toBe(1);
    expect(await left.page.getByRole('alert').count()).toBe(0);
    await alert.getByRole('button', { name: 'Show who has it' }).click();
    await card(right.page, one.name).waitFor();
    await alert.getByRole('button', { name: 'Done' }).click();
    await alert.waitFor({ state: 'detached' });

    // The page of a participant says the same.
    const manager = await demo.signedIn('MANAGER');
    await manager.page.goto(`${demo.api.url}/console/o/demo/participants/${three.id}`);
    await manager.page.getByRole('textbox', { name: 'Bib' }).fill('WANTED');
    await manager.page.getByRole('button', { name: 'Save' }).click();
    await manager.page.getByRole('alert').getByText(`Ada ${one.name} has it.`).waitFor();
    expect(await loggedOf(three.id)).toBe(1);
    expect([...left.complaints, ...manager.complaints]).toEqual([]);
    for (const { context } of [left, right, manager]) await context.close();
  });

  it('keeps the event, whom a new bib was given, and no refusal that was put right', async () => {
    const [one, two] = (await people(2)) as [Person, Person];
    const { page, context, complaints } = await atDesk();
    const [{ event, other }] = await demo.api.dataSource.query(
      `SELECT o.title AS event, (SELECT title FROM event_occurrences WHERE organization_id = o.organization_id AND title <> o.title LIMIT 1) AS other
       FROM event_occurrences o JOIN start_list_entries e ON e.event_occurrence_id = o.id WHERE e.participant_id = $1`,
      [one.id],
    );
    const choose = async (title: string) => {
      await page.getByRole('combobox', { name: 'Event' }).fill(title);
      await page.getByRole('option', { name: title, exact: true }).first().click();
    };
    await choose(other);
    await page.getByRole('searchbox').fill(one.bib);
    await page.getByText('No participants found').waitFor();
    await choose(event);
    await search(page, one.bib, one.name);
    await page.reload();
    await eventually(
      async () => (await page.getByRole('combobox', { name: 'Event' }).inputValue()) === event,
    );

    await search(page, one.bib, one.name);
    const setBib = async (bib: string) => {
      await page.getByRole('textbox', { name: 'Bib' }).fill(bib);
      await page.getByRole('button', { name: 'Set bib' }).click();
    };
    await setBib(two.bib);
    await page.getByRole('alert').getByText(`Bib ${two.bib} is taken`).waitFor();
    await setBib(`${one.bib}9`);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await card(page, one.name).getByText('Pending').waitFor({ state: 'detached' });
    expect(await page.locator('.desk-bib').innerText()).toBe(`${one.bib}9`);
    await setBib(`8${one.bib}`);
    await eventually(async () => (await page.locator('.desk-bib').innerText()) === `8${one.bib}`);
    await card(page, one.name).getByRole('button', { name: 'Check in', exact: true }).click();
    await card(page, one.name).getByText('Checked in').waitFor();
    await page.getByRole('textbox', { name: 'Tracking number' }).fill('0034 77');
    await page.getByRole('button', { name: 'Save number' }).click();
    await card(page, one.name).getByText('Tracking number: 0034 77').waitFor();
    await look(page, 'desk-kept');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is that of an event of today, and then searches all events on request', async () => {
    const [one] = (await people(1)) as [Person];
    const move = (day: string, which: string) =>
      demo.api.dataSource.query(
        `UPDATE event_occurrences SET start_date = $2 WHERE organization_id = $1 AND ${which} RETURNING title`,
        [demo.organizationId, day],
      );
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format();
    await move('2020-01-01', `start_date = '${today}'`);
    const ofOne = `SELECT event_occurrence_id FROM start_list_entries WHERE participant_id = '${one.id}'`;
    const [[{ title }]] = await move(
      today,
      `id = (SELECT event_occurrence_id FROM races WHERE organization_id = $1 AND event_occurrence_id NOT IN (${ofOne}) LIMIT 1)`,
    );
    const { page, context } = await openTab(demo.browser);
    await signInByLink(page, demo.api, await demo.link('RACE_DAY'));
    const event = page.getByRole('combobox', { name: 'Event' });
    await eventually(async () => (await event.inputValue()) === title);
    await page.getByRole('searchbox').fill(one.bib);
    const all = page.getByRole('button', { name: 'Search all events' });
    await all.waitFor();
    await look(page, 'desk-none-found');
    await all.click();
    await card(page, one.name).waitFor();
    expect(await event.inputValue()).toBe('');
    await context.close();
  });

  it('says that a role does not permit a change, instead of waiting, and sends it again on request', async () => {
    const [person] = (await people(1)) as [Person];
    const { page, context } = await atDesk();
    await search(page, person.name, person.name);
    const { manager } = demo.api.dataSource;
    const [{ id }] = await manager.query(
      "SELECT id FROM staff_members WHERE organization_id = $1 AND role = 'RACE_DAY' ORDER BY created_at DESC LIMIT 1",
      [demo.organizationId],
    );
    const owner = await demo.signedIn('OWNER');
    const become = (role: string) =>
      owner.page.evaluate(
        async ([id, role, organization]) => {
          const { status } = await fetch(`/console/v1/staff/${id}`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/json', 'x-startline-organization': organization },
            body: JSON.stringify({ role }),
          });
          return status;
        },
        [id, role, demo.organizationId] as const,
      );
    await blocked(context);
    await page.getByRole('button', { name: 'Check in', exact: true }).click();
    await page.getByText('1 change waits for the connection.').waitFor();
    expect(await become('VIEWER')).toBe(200);
    const mayNot = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.status() === 403,
    );
    await context.setOffline(false);
    await mayNot;
    // The page follows the role, and the change stays for when the role is back.
    await page.getByRole('heading', { name: 'You don’t have permission' }).waitFor();
    expect(await become('RACE_DAY')).toBe(200);
    await page.goto(`${demo.api.url}/console/o/demo/desk`);
    const alert = page.getByRole('alert').filter({ hasText: person.name });
    await alert.getByText('You don’t have permission').waitFor();
    expect(await page.getByText('waits for the connection').count()).toBe(0);
    expect(await loggedOf(person.id)).toBe(1);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await eventually(async () => (await loggedOf(person.id)) === 2);
    await context.close();
    await owner.context.close();
  });

  it('sends what is done on a device whose clock is ahead, from the beginning or set meanwhile', async () => {
    const [person] = (await people(1)) as [Person];
    const { page, context } = await demo.signedIn('RACE_DAY');
    await page.addInitScript(() => {
      const root = globalThis as any;
      const Real = Date;
      root.aheadMs = 3_600_000;
      root.Date = class extends Real {
        constructor(...of: [number]) {
          super(...(of.length ? of : ([root.Date.now()] as const)));
        }
        static override now = () => Real.now() + root.aheadMs;
      };
    });
    await page.reload();
    await search(page, person.name, person.name);
    await page.getByRole('button', { name: 'Check in', exact: true }).click();
    await eventually(async () => (await loggedOf(person.id)) === 2);
    await page.evaluate(() => Object.assign(globalThis, { aheadMs: 7_200_000 }));
    await page.getByRole('button', { name: 'Undo check-in' }).click();
    await eventually(async () => (await loggedOf(person.id)) === 3);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Check in', exact: true }).waitFor();
    await context.close();
  });

  it('shows no bib of a cancelled entry as in effect, and no way to change it', async () => {
    const [person] = (await people(1)) as [Person];
    const { page, context } = await atDesk();
    const { page: staff, context: staffContext } = await demo.signedIn('MANAGER');
    await staff.goto(`${demo.api.url}/console/o/demo/participants/${person.id}`);
    await staff.locator('.timeline').getByText('In effect').waitFor();
    await staff.getByRole('button', { name: 'More' }).click();
    await staff.getByRole('menuitem', { name: 'Cancel booking' }).click();
    await staff.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click();
    await staff.locator('.timeline').getByText('Ended by the cancellation').waitFor();
    expect(await staff.locator('.timeline').getByText('In effect').count()).toBe(0);
    await staff.getByText('The entry is cancelled, so its race day can’t be changed.').waitFor();
    expect(await staff.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await staff.getByRole('textbox', { name: 'Bib' }).inputValue()).toBe('');
    await page.getByRole('searchbox').fill(person.name);
    await page.getByText('No participants found').waitFor();
    await page.getByLabel('Show cancelled entries').check();
    await search(page, person.name, person.name);
    await card(page, person.name).getByText('can’t be changed').waitFor();
    expect(await page.getByRole('button', { name: 'Check in', exact: true }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Bib' }).count()).toBe(0);
    expect(await page.locator('.desk-bib').innerText()).toBe('–');
    await look(page, 'desk-cancelled');
    await context.close();
    await staffContext.close();
  });
});
