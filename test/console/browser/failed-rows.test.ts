import type { Page } from 'playwright-core';
import { discountCode, SIGNING_SECRETS } from '#libs/testing';
import { Tokens, tokenOf } from '#platform/access';
import { ApiKey } from '#platform/database';
import type { ImportErrorCode } from '#platform/import-rows';
import type { Code } from '../../../apps/console/src/imports/codes';
import { eventually } from '../../harness';
import { clicksOn, describeInBrowser, look } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

/** Every code has words and a remedy: a missing one is a type error. */
const NAMED: Record<ImportErrorCode | 'NOT_REACHED', Code> & Record<Code, ImportErrorCode | 'NOT_REACHED'> =
  new Proxy({} as never, { get: (_, code) => code });

const UNKNOWN = '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b';
/** Bad rows by the way in which they are bad. */
const BAD = { wave: 60, ticket: 50, bib: 40, code: 40, partner: 20, event: 20 };

interface Place {
  eventOccurrenceId: string;
  ticketId: string;
  waveId: string;
  event: string;
  ticket: string;
}

describeInBrowser('failed rows', () => {
  let demo: BrowserDemo;
  let place: Place;
  beforeAll(async () => {
    demo = await startBrowserDemo();
    const { dataSource } = demo.api;
    [place] = await dataSource.query(
      `SELECT o.id AS "eventOccurrenceId", o.title AS event, k.id AS "ticketId", k.title AS ticket, w.id AS "waveId"
       FROM waves w JOIN races r ON r.organization_id = w.organization_id AND r.id = w.race_id
       JOIN tickets k ON k.organization_id = r.organization_id AND k.race_id = r.id AND k.deleted_at IS NULL
         AND k.unit_size = 1 AND k.approval = 'INSTANT'
       JOIN event_occurrences o ON o.organization_id = r.organization_id AND o.id = r.event_occurrence_id
       WHERE w.organization_id = $1 ORDER BY o.start_date DESC, k.position, w.title LIMIT 1`,
      [demo.organizationId],
    );
  });
  afterAll(() => demo?.close());

  /** Bookings of which some are bad in six ways; each booking has the name of its set in its id. */
  const bookings = (name: string, count: number, bad: typeof BAD) => {
    const ways = Object.entries(bad).flatMap(([way, rows]) => Array.from({ length: rows }, () => way));
    return Array.from({ length: count }, (_, i) => {
      const way = ways[i];
      const person = { firstName: 'Ada', lastName: `${name} ${i}`, email: `${name}-${i}@example.com` };
      return {
        externalBookingId: `${name}-${i}`,
        eventOccurrenceId: way === 'event' ? UNKNOWN : place.eventOccurrenceId,
        booker: person,
        participants: [
          {
            ...person,
            ticketId: way === 'ticket' ? UNKNOWN : place.ticketId,
            waveId: way === 'wave' ? UNKNOWN : place.waveId,
            ...(way === 'bib' && { bibNumber: `9${String(i).padStart(4, '0')}` }),
          },
        ],
        ...(way === 'code' && { discountCode: `${name}-full` }),
        ...(way === 'partner' && { bookerType: 'PARTNER', partnerId: UNKNOWN }),
      };
    });
  };

  /** What makes rows bad: bibs that others have, and a code that is used up. */
  const inTheWay = async (name: string, bad: typeof BAD) => {
    await discountCode(demo.api.dataSource, {
      organizationId: demo.organizationId,
      code: `${name}-full`,
      limitUsage: 0,
    });
    const first = bad.wave + bad.ticket;
    const taken = bookings(`${name}-before`, first + bad.bib, {
      wave: 0,
      ticket: 0,
      bib: 0,
      code: 0,
      partner: 0,
      event: 0,
    })
      .slice(first)
      .map((row, i) => ({
        ...row,
        participants: row.participants.map((each) => ({
          ...each,
          bibNumber: `9${String(first + i).padStart(4, '0')}`,
        })),
      }));
    await imported(taken);
  };

  const token = async (): Promise<string> => {
    const { api, organizationId } = demo;
    const key = await api.dataSource
      .getRepository(ApiKey)
      .findOneByOrFail({ organizationId, name: 'test-demo' });
    return tokenOf(new Tokens(SIGNING_SECRETS), key);
  };

  /** Sends bookings as a partner does, over REST, and waits for the end. */
  const imported = async (rows: object[]): Promise<string> => {
    const { api } = demo;
    const key = await token();
    const { body } = await api.send('POST', '/v0/bookings/import', { bookings: rows }, key);
    return eventually(async () => {
      const { body: job } = await api.get(`/v0/bookings/import/${body.jobId}`, key);
      return job.finishedAt && (body.jobId as string);
    });
  };

  /** Corrects the six reasons on the page of the job, each by its remedy, and sends the rows; of a dry run, checks them. Returns the clicks of each remedy. */
  const correctAll = async (page: Page, total: string, bad: typeof BAD, isDryRun = false) => {
    const main = page.getByRole('main');
    const reason = (name: string, rows: number) =>
      main.getByRole('button', { name: `${name} ${rows}`, exact: true });
    const choose = async (label: RegExp, option: string | RegExp) => {
      await main.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option }).first().click();
    };
    const send = async (rows: number) => {
      const name = isDryRun ? `Check these ${rows} rows` : `Send these ${rows} rows again`;
      await main.getByRole('button', { name }).click();
      // The last rows can be imported before the page says that they were sent.
      await main
        .getByText(new RegExp(`^\\s*${rows} rows were sent\\.|^All failed rows`))
        .first()
        .waitFor();
    };
    const remedies: [name: string, rows: number, remedy: () => Promise<void>][] = [
      [
        'No wave of this race',
        bad.wave,
        async () => {
          await main.getByRole('textbox', { name: /^Or create a wave of/ }).click();
          await page.keyboard.type(`Wave of ${total}${isDryRun ? ' tried' : ''}`);
          await main.getByRole('button', { name: 'Create wave' }).click();
          // The form is gone when the rows have the wave.
          await main.getByRole('button', { name: 'Create wave' }).waitFor({ state: 'detached' });
        },
      ],
      ['No ticket of this event', bad.ticket, () => choose(/^Ticket instead of/, new RegExp(place.ticket))],
      [
        'Bib is taken',
        bad.bib,
        () => main.getByRole('button', { name: `Take the next ${bad.bib} free bibs` }).click(),
      ],
      [
        'Code used up',
        bad.code,
        async () => {
          await main.getByRole('button', { name: `Raise to ${bad.code}` }).click();
          await main.getByRole('button', { name: `Raised to ${bad.code}` }).waitFor();
        },
      ],
      ['Unknown partner', bad.partner, () => choose(/^Partner instead of/, 'nothing')],
      ['Unknown event', bad.event, () => choose(/^Event instead of/, new RegExp(`^${place.event},`))],
    ];
    const clicks = () => page.evaluate(() => Number((globalThis as any).sessionStorage.getItem('clicks')));
    const counts: number[] = [];
    for (const [name, rows, remedy] of remedies) {
      const before = await clicks();
      await reason(name, rows).click();
      await remedy();
      await send(rows);
      counts.push((await clicks()) - before);
    }
    await main.getByText(`${total} of ${total}`).first().waitFor({ timeout: 300_000 });
    await main.getByText('Corrected', { exact: true }).first().waitFor();
    return counts;
  };

  /** Bookings as a file. */
  const csvOf = (rows: ReturnType<typeof bookings>): Buffer => {
    const columns = {
      externalBookingId: (row: any) => row.externalBookingId,
      eventOccurrenceId: (row: any) => row.eventOccurrenceId,
      'participants[0].firstName': (row: any) => row.participants[0].firstName,
      'participants[0].lastName': (row: any) => row.participants[0].lastName,
      'participants[0].email': (row: any) => row.participants[0].email,
      'participants[0].ticketId': (row: any) => row.participants[0].ticketId,
      'participants[0].waveId': (row: any) => row.participants[0].waveId,
      'participants[0].bibNumber': (row: any) => row.participants[0].bibNumber,
      discountCode: (row: any) => row.discountCode,
      bookerType: (row: any) => row.bookerType,
      partnerId: (row: any) => row.partnerId,
    };
    const lines = [
      Object.keys(columns).join(','),
      ...rows.map((row) =>
        Object.values(columns)
          .map((of) => of(row) ?? '')
          .join(','),
      ),
    ];
    return Buffer.from(lines.join('\r\n'));
  };

  const bookingsOf = async (name: string): Promise<number> => {
    const [{ n }] = await demo.api.dataSource.query(
      `SELECT count(*)::int AS n FROM bookings WHERE organization_id = $1 AND external_booking_id ~ $2`,
      [demo.organizationId, `^${name}-[0-9]+$`],
    );
    return n;
  };

  it('go from a file to the last of 10,000 rows on one page, with at most 60 clicks', async () => {
    expect(NAMED.INTERNAL).toBe('INTERNAL');
    await inTheWay('file', BAD);
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    const clicks = await clicksOn(page);
    await page.goto(`${demo.api.url}/console/o/demo/imports/new`);
    const began = Date.now();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'club-start-list.csv',
      mimeType: 'text/csv',
      buffer: csvOf(bookings('file', 10_000, BAD)),
    });
    await page.getByRole('button', { name: 'Import 10,000 rows' }).click();
    await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { name: 'club-start-list.csv' }).waitFor();
    await page.getByText('9,770 of 10,000').first().waitFor({ timeout: 300_000 });
    await look(page, 'failed-rows');
    const remedies = await correctAll(page, '10,000', BAD);
    expect(Math.max(...remedies)).toBeLessThanOrEqual(4);
    const seconds = Math.round((Date.now() - began) / 1_000);
    const count = await clicks();
    process.stdout.write(`10,000 of 10,000 rows after ${count} clicks and ${seconds} s\n`);
    expect(count).toBeLessThanOrEqual(60);
    expect(await bookingsOf('file')).toBe(10_000);
    await look(page, 'failed-rows-corrected');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('of a dry run are corrected, and then the dry run is imported without the file', async () => {
    const bad = { wave: 3, ticket: 3, bib: 3, code: 3, partner: 3, event: 3 };
    await inTheWay('dry-run', bad);
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    const clicks = await clicksOn(page);
    await page.goto(`${demo.api.url}/console/o/demo/imports/new`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const name = 'dry-run-list.csv';
    await (await chooser).setFiles({
      name,
      mimeType: 'text/csv',
      buffer: csvOf(bookings('dry-run', 60, bad)),
    });
    await page.getByRole('button', { name: 'Try without importing' }).click();
    await page.getByRole('link', { name: 'Show the rows' }).click();
    await page.getByText('42 of 60 would be imported').first().waitFor();
    await look(page, 'dry-run');
    await correctAll(page, '60', bad, true);
    expect(await bookingsOf('dry-run')).toBe(0);
    await look(page, 'dry-run-corrected');
    await page.getByRole('button', { name: 'Import all 60 rows' }).dblclick();
    await page.getByText('60 of 60', { exact: true }).first().waitFor();
    process.stdout.write(`a dry run of 60 rows is imported after ${await clicks()} clicks\n`);
    expect(await bookingsOf('dry-run')).toBe(60);
    await page.goto(`${demo.api.url}/console/o/demo/imports?dryRun=true`);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByText('This dry run was imported.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('that the API finds invalid stay with the import of their file, and are corrected there', async () => {
    const name = 'invalid';
    const none = { wave: 0, ticket: 0, bib: 0, code: 0, partner: 0, event: 0 };
    const rows = bookings(name, 4, none);
    for (const person of rows[1]?.participants ?? []) person.firstName = 'Ada '.repeat(100).trim();
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/imports/new`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: csvOf(rows) });
    await page.getByRole('button', { name: 'Import 4 rows' }).click();
    await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
    await page.getByText('3 of 4', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Not as the field requires 1' }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry failed rows' }).count()).toBe(0);
    // The person is participant and booker.
    await page.getByRole('gridcell', { name: `${name}-1`, exact: true }).click();
    await page.getByText(/booker\.firstName must not be longer than 255 characters/).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await look(page, 'failed-rows-invalid');
    await page.getByRole('button', { name: 'Send this row again' }).click();
    await page.getByText('4 of 4', { exact: true }).first().waitFor();
    expect(await bookingsOf(name)).toBe(4);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('that can not be read of their file are part of the import, and are corrected there one after the other', async () => {
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    const { eventOccurrenceId: event, ticketId: sold } = place;
    const line = (at: number, ticket: string, born: string, club: string, person = at) =>
      [
        `unread-${at}`,
        event,
        'Ada',
        `unread ${person}`,
        `unread-${person}@example.com`,
        ticket,
        born,
        club,
      ].join();
    const lines = [
      'externalBookingId,eventOccurrenceId,participants[0].firstName,participants[0].lastName,participants[0].email,participants[0].ticketId,participants[0].dateOfBirth,metadata.club',
      line(0, sold, '1990-01-01', 'Harriers'),
      line(1, sold, '31.02.1990', 'Harriers'),
      line(2, 'No such ticket', '1990-01-01', 'Harriers'),
      line(3, sold, '1990-01-01', 'Harriers'),
      line(3, sold, '1990-01-01', 'Striders', 33),
      line(4, sold, '1990-01-01', 'Harriers'),
    ];
    await page.goto(`${demo.api.url}/console/o/demo/imports/new`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'unread.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
    await page
      .getByText(/^3 rows can’t be read, and will be part of the import as failed rows/)
      .first()
      .waitFor();
    await look(page, 'upload-unread');
    await page.getByRole('button', { name: 'Import 5 rows' }).click();
    await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
    await page.getByText('2 of 5', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Not as the field requires 3' }).waitFor();
    await look(page, 'failed-rows-unread');
    const grid = page.getByRole('grid', { name: 'Failed rows' });
    const cellOf = (text: RegExp) => grid.getByRole('gridcell', { name: text });
    // Nothing is sent until it is corrected: the free text would be accepted.
    await page.getByText('3 of them have mistakes.').waitFor();
    expect(await page.getByRole('button', { name: /^Send these .* again$/ }).isDisabled()).toBe(true);
    const send = async (total: string) => {
      await page.getByRole('button', { name: 'Send this row again' }).click();
      await page.getByText(total, { exact: true }).first().waitFor();
    };
    await cellOf(/31\.02\.1990/).click();
    await page.keyboard.type('1990-02-28');
    await page.keyboard.press('Tab');
    await send('3 of 5');
    await page.reload();
    await cellOf(/Harriers \| Striders/).click();
    await page.keyboard.type('Striders');
    await page.keyboard.press('Tab');
    await send('4 of 5');
    await page.reload();
    // Until the names of tickets are there, the cell of one is a text.
    await page.waitForLoadState('networkidle');
    await cellOf(/No such ticket/).click();
    await page
      .getByRole('option', { name: new RegExp(place.ticket) })
      .first()
      .click();
    await send('5 of 5');
    const { body } = await demo.api.get(
      '/v0/participants?sort[createdAt]=-1&page[size]=4&extendMetadata=true',
      await token(),
    );
    const read = body.data.map(({ ticketId, fields, metadata }: any) => {
      const answer = (key: string) => fields.find((each: any) => each.key === key)?.value;
      return [answer('lastName'), answer('dateOfBirth'), ticketId, metadata.club];
    });
    expect(read.toSorted()).toEqual([
      ['unread 1', '1990-02-28', sold, 'Harriers'],
      ['unread 2', '1990-01-01', sold, 'Harriers'],
      ['unread 3', '1990-01-01', sold, 'Striders'],
      ['unread 33', '1990-01-01', sold, 'Striders'],
    ]);
    expect(await bookingsOf('unread')).toBe(5);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('of a job that a partner sent over REST are corrected on a phone', async () => {
    const bad = { wave: 2, ticket: 2, bib: 2, code: 2, partner: 2, event: 2 };
    await inTheWay('phone', bad);
    const jobId = await imported(bookings('phone', 40, bad));
    const { page, context, complaints } = await demo.signedIn('MANAGER', { size: 'phone' });
    const clicks = await clicksOn(page);
    await page.goto(`${demo.api.url}/console/o/demo/imports/${jobId}`);
    await correctAll(page, '40', bad);
    process.stdout.write(`40 of 40 rows on a phone after ${await clicks()} clicks\n`);
    expect(await bookingsOf('phone')).toBe(40);
    expect(complaints).toEqual([]);
    await context.close();
  });

  const NONE = { wave: 0, ticket: 0, bib: 0, code: 0, partner: 0, event: 0 };

  it('keep what is typed with its row while others correct rows, and what was found with what was checked', async () => {
    const jobId = await imported(bookings('others', 3, { ...NONE, wave: 3 }));
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/imports/${jobId}`);
    await page.waitForLoadState('networkidle');
    const grid = page.getByRole('grid', { name: 'Failed rows' });
    const row = grid.getByRole('row');
    await grid.getByRole('gridcell', { name: 'others 1', exact: true }).click();
    await page.keyboard.type('Clarke');
    // A colleague corrects the row above it.
    const [first] = bookings('others', 1, NONE);
    const corrects = { jobId, rows: [0] };
    await demo.api.send('POST', '/v0/bookings/import', { bookings: [first], corrects }, await token());
    await grid.getByRole('gridcell', { name: 'others 0', exact: true }).waitFor({ state: 'detached' });
    expect(await grid.getByRole('textbox').inputValue()).toBe('Clarke');
    await grid.getByRole('textbox').press('Enter');
    await row.filter({ hasText: 'others-1' }).filter({ hasText: 'Clarke' }).waitFor();
    await row.filter({ hasText: 'others-2' }).filter({ hasText: 'others 2' }).waitFor();

    await page.getByRole('button', { name: 'No wave of this race 2' }).click();
    const check = page.getByRole('button', { name: 'Check these 2 rows' });
    const found = page.getByText('0 rows would be imported, 2 would fail.');
    await check.click();
    await found.waitFor();
    await page.getByRole('combobox', { name: /^Wave instead of/ }).click();
    await page.getByRole('option', { name: 'nothing' }).first().click();
    await found.waitFor({ state: 'detached' });
    // A check that is cancelled has looked at no row.
    let isCancelled = false;
    await page.route(/\/console\/v1\/import-jobs\/[-0-9a-f]{36}$/, async (route) => {
      const job = await (await route.fetch()).json();
      await route.fulfill({ json: job.dryRun && !isCancelled ? { ...job, status: 'RUNNING' } : job });
    });
    await check.click();
    const dryRun = `(SELECT id FROM import_jobs WHERE corrects_job_id = $1 AND dry_run AND succeeded_rows = 2)`;
    const cancelled = await eventually(async () => {
      const { dataSource } = demo.api;
      const [jobs] = await dataSource.query(
        `UPDATE import_jobs SET status = 'FAILED', succeeded_rows = 0 WHERE id = ${dryRun} RETURNING id`,
        [jobId],
      );
      return jobs[0]?.id as string | undefined;
    });
    await demo.api.dataSource.query(
      'UPDATE import_rows SET outcome = NULL, result = NULL WHERE job_id = $1',
      [cancelled],
    );
    isCancelled = true;
    await found.waitFor();
    await grid.getByText('Not reached').first().waitFor();
    expect(complaints).toEqual([]);
    // The page asks for the job until it is closed.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  it('show the errors of a retry, not those of before', async () => {
    const { organizationId } = demo;
    await discountCode(demo.api.dataSource, { organizationId, code: 'retried-full', limitUsage: 0 });
    const jobId = await imported(bookings('retried', 2, { ...NONE, code: 2 }));
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/imports/${jobId}`);
    await page.getByRole('button', { name: 'Code used up 2' }).waitFor();
    await demo.api.dataSource.query(
      `UPDATE discount_codes SET code = 'another' WHERE organization_id = $1 AND code = 'retried-full'`,
      [organizationId],
    );
    await page.getByRole('button', { name: 'Retry failed rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry failed rows' }).click();
    await page.getByRole('button', { name: 'Unknown discount code 2' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are edited like a spreadsheet: keys, a pasted block, one change for all, and a reload in between', async () => {
    const bad = { wave: 3, ticket: 0, bib: 0, code: 0, partner: 0, event: 0 };
    const jobId = await imported(bookings('keys', 5, bad));
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/imports/${jobId}`);
    const grid = page.getByRole('grid', { name: 'Failed rows' });
    await grid.getByRole('gridcell', { name: 'keys-0', exact: true }).click();
    // To the right, and a text: Tab saves it and goes on.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type(' never');
    await page.keyboard.press('Escape');
    await grid.getByRole('gridcell', { name: 'Grace', exact: true }).waitFor();
    // A block with names of people goes into two rows and columns.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await grid.evaluate((table) => {
      const { ClipboardEvent, DataTransfer } = globalThis as any;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Joan\tClarke\nMary\tSomerville\n');
      table.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await grid.getByRole('gridcell', { name: 'Somerville', exact: true }).waitFor();
    await page.reload();
    // Until the names of waves are there, the cell of a wave is a text.
    await page.waitForLoadState('networkidle');
    await grid.getByRole('gridcell', { name: 'Somerville', exact: true }).waitFor();
    // One value for all rows that have the same.
    await grid
      .getByRole('gridcell', { name: /No wave of this race/ })
      .first()
      .click();
    await page.getByRole('option', { name: 'nothing' }).click();
    await page.getByRole('button', { name: 'Apply to all 2 rows with this value' }).click();
    await page.getByRole('button', { name: 'Check these 3 rows' }).click();
    await page.getByText('All 3 rows would be imported.').waitFor();
    expect(await bookingsOf('keys')).toBe(2);
    await page.getByRole('button', { name: 'Send these 3 rows again' }).click();
    await page.getByText('5 of 5').waitFor();
    const { body } = await demo.api.get('/v0/participants?sort[createdAt]=-1&page[size]=3', await token());
    const named = (key: string) =>
      body.data.map(({ fields }: any) => fields.find((each: any) => each.key === key)?.value);
    expect(named('firstName').toSorted()).toEqual(['Grace', 'Joan', 'Mary']);
    expect(named('lastName').toSorted()).toEqual(['Clarke', 'Somerville', 'keys 0']);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
