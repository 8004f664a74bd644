import { statfs } from 'node:fs/promises';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { booking, key, organization, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { ImportJob } from '#platform/database';
import { DailyBytes } from '#platform/http';
import { signedIn } from '../console/console';
import { BODIES } from '../contract/bodies';
import { OPERATIONS, operation, pathOf, WITHOUT_ROWS } from '../contract/document';
import { rowsOf } from '../contract/stranger';
import { eventually, startApi, type TestApi } from '../harness';

const LIMIT = 3_000;
const body = (n: number) => ({
  credits: [
    {
      externalCreditId: `credit-${n}`,
      email: 'ada@example.com',
      amount: { value: 1, currencyCode: 'GBP' },
      reason: 'x'.repeat(900),
    },
  ],
});
const send = (api: TestApi, n: number) => api.send('POST', '/v0/credits/import', body(n));
const allowanceOf = async (api: TestApi) => (await api.get('/v0/import-jobs/allowance')).body;
const storedJobs = (api: TestApi): Promise<number> => api.dataSource.getRepository(ImportJob).count();

/** Protects the disk, and the imports of other organizations. The client learns when it can go on. */
describe('the import bytes of a day', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ IMPORT_BYTES_PER_DAY: String(LIMIT), RATE_IMPORT: '100000' });
  });
  afterAll(() => api.close());

  it('are exceeded by one body at most, also of many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(api, n)));
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    // A body counts in whole kilobytes.
    const counted = 1_000 * Math.ceil(JSON.stringify(body(10)).length / 1_000);
    expect([accepted.length, refused.length]).toEqual([Math.ceil(LIMIT / counted), 20 - accepted.length]);
    expect(await storedJobs(api)).toBe(accepted.length);
    expect(await allowanceOf(api)).toMatchObject({ allowedBytes: LIMIT, usedBytes: LIMIT });
    for (const { headers, body: error } of refused) {
      expect(error.message).toContain('bytes of imports of the day');
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(86_400);
      expect(headers.get('x-ratelimit-limit')).toBe('100000');
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(headers.get('x-ratelimit-reset')).toBe(String(seconds));
    }
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    expect((await api.get('/v0/import-jobs/allowance', token)).body.usedBytes).toBe(0);
  });

  it('are judged before the body is read, and only for imports', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${api.token}`,
        'content-type': 'application/json',
        'content-length': '1000000',
      };
      const sent = request(`${api.url}/v0/credits/import`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject).flushHeaders();
    });
    expect(status).toBe(429);
    expect((await api.get('/v0/import-jobs')).status).toBe(200);
    const partner = {
      name: 'Hospice',
      contacts: [{ firstName: 'A', lastName: 'B', email: 'a@example.com' }],
    };
    expect((await api.send('POST', '/v0/partners', partner)).status).toBe(200);
  });

  it('begin again a day later, and do not count what is refused', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const post = async (content: object) =>
      (await api.send('POST', '/v0/credits/import', content, token)).status;
    const allowance = async () => (await api.get('/v0/import-jobs/allowance', token)).body;
    expect(await post(body(1))).toBe(200);
    const { usedBytes, resetsAt } = await allowance();
    expect(usedBytes).toBe(1_000 * Math.ceil(JSON.stringify(body(1)).length / 1_000));
    expect(Date.parse(resetsAt) - Date.now()).toBeGreaterThan(86_000_000);
    expect(Date.parse(resetsAt) - Date.now()).toBeLessThanOrEqual(86_400_000);
    expect(await post({ credits: [{ ...body(1).credits[0], amount: 1 }] })).toBe(400);
    await eventually(async () => (await allowance()).usedBytes === usedBytes);

    await api.dataSource.query(
      `UPDATE rate_windows SET window_start = window_start - interval '1 day' WHERE api_key_id = $1`,
      [organizationId],
    );
    // The process learns it from the store, which it asks about each import.
    expect(await post(body(2))).toBe(200);
    expect((await allowance()).usedBytes).toBe(usedBytes);
  });

  it('do not count what is refused beside a body that is refused later', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { id: keyId, token } = await key(api.dataSource, { organizationId });
    const daily = api.app.get(DailyBytes, { strict: false });
    const sender = { organizationId, keyId, partner: null };
    const both = await Promise.allSettled([LIMIT, LIMIT].map((each) => daily.add('imports', sender, each)));
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await daily.takeBack('imports', sender, LIMIT);
    expect((await api.get('/v0/import-jobs/allowance', token)).body.usedBytes).toBe(0);
  });

  it('do not count what is refused after its client has gone', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const used = async () => (await api.get('/v0/import-jobs/allowance', token)).body.usedBytes;
    const gone = new Promise<void>((resolve) => {
      api.app.getHttpServer().once('connection', (socket: Socket) => socket.once('close', () => resolve()));
    });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${api.url}/v0/credits/import`, { method: 'POST', headers, agent: false });
    const daily = api.app.get(DailyBytes, { strict: false });
    const add = daily.add.bind(daily);
    let counted = 0;
    const adds = jest.spyOn(daily, 'add').mockImplementation(async (kind, sender, bytes) => {
      await add(kind, sender, bytes);
      if (bytes === 0) return;
      counted = await used();
      sent.destroy();
      await gone;
    });
    try {
      sent.on('error', () => {}).end(JSON.stringify({ credits: [{ ...body(1).credits[0], amount: 1 }] }));
      await eventually(async () => counted > 0 && (await used()) === 0);
    } finally {
      adds.mockRestore();
    }
  });
});

describe('a database that is nearly full', () => {
  it.each([
    ['by its size', { DATABASE_SIZE_LIMIT_MB: '1', DISK_RESERVE_MB: '0' }],
    ['by the disk', { DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '1000000000' }],
  ])('refuses imports, %s', async (_, environment) => {
    const api = await startApi(environment);
    const answer = await send(api, 0);
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringContaining('nearly full')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await api.close();
  });

  it('takes imports if there is room', async () => {
    const api = await startApi({ DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '0' });
    expect((await send(api, 0)).status).toBe(200);
    await api.close();
  });

  describe('serves reads and removals', () => {
    let api: TestApi;
    let whole: WholeOrganization;
    let token: string;
    beforeAll(async () => {
      const full = { DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '1000000000' };
      api = await startApi({ ...full, RATE_IMPORT: '100000', RATE_SIGN_IN: '1000' });
      whole = await wholeOrganization(api.dataSource, { mark: 'harbourmile' });
      const { organizationId } = whole;
      token = (await key(api.dataSource, { organizationId })).token;
    });
    afterAll(() => api.close());

    /** All routes with bodies of rows; an import that is not among them would fill the disk. */
    it('but refuses each import, from keys and from the console, and stores no row', async () => {
      const { browser } = await signedIn(api, 'MANAGER', undefined, whole.organizationId);
      const imported = async () => {
        const { import_jobs, import_rows } = await rowsOf(api.dataSource, whole.organizationId);
        return { import_jobs, import_rows };
      };
      const before = await imported();
      // A catalogue replaces records, whose number is bounded, and keeps no rows. An undo cancels. A bib plan has no rows.
      const importing = OPERATIONS.filter(
        ({ access, body, name }) =>
          access.rate === 'import' && body && name !== 'writeCatalogue' && !WITHOUT_ROWS.has(name),
      );
      expect(importing.map(({ name }) => name).sort()).toEqual([
        'correctBookings',
        'importAddOns',
        'importBookings',
        'importCredits',
        'importDiscountCodes',
        'importLineItems',
        'importReferrals',
        'importReservedEntries',
        'replaceAddOns',
        'replaceLineItems',
      ]);
      for (const of of importing) {
        const body = BODIES[of.name]?.(whole);
        const byKey = await api.send(of.method, of.path, body, token);
        const byStaff = await browser.ask(of.method, of.path, body);
        expect([of.name, byKey.status, byStaff.status]).toEqual([of.name, 503, 503]);
      }
      expect(await imported()).toEqual(before);
    });

    it('all reads', async () => {
      const refused: string[] = [];
      for (const of of OPERATIONS.filter(
        (each) => each.method === 'GET' && each.access.keys.includes('ORGANIZER'),
      )) {
        const { status } = await api.get(pathOf(of, whole.ids), token);
        if (status !== 200) refused.push(`${of.name} ${status}`);
      }
      expect(refused).toEqual([]);
    });

    it('what removes data or access, and sign-in', async () => {
      const { browser } = await signedIn(api, 'OWNER', undefined, whole.organizationId);
      const { id } = await booking(api.dataSource, { organizationId: whole.organizationId });
      const { id: keyId } = await key(api.dataSource, { organizationId: whole.organizationId });
      const change = { change: { type: 'CANCEL' }, participantIds: [whole.ids.participants] };
      const answers = [
        await browser.ask('POST', '/console/v1/participants/changes', change),
        await browser.ask('POST', '/console/v1/persons/erase', { email: 'ada@example.com' }),
        await browser.ask('POST', `/console/v1/participants/${whole.ids.participants}/redact`),
        await browser.ask('DELETE', `/v0/bookings/${id}`),
        await browser.ask('POST', `/console/v1/keys/${keyId}/revoke`),
        await api.send('DELETE', `/v0/bookings/${whole.ids.bookings}`, undefined, token),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    });
  });

  it('refuses every other write, race day last', async () => {
    const { bavail, bsize } = await statfs(__dirname);
    const freeMb = (bavail * bsize) / 1_000_000;
    const statusesWith = async (reserveMb: number) => {
      const api = await startApi({
        DATABASE_DIRECTORY: __dirname,
        DISK_RESERVE_MB: String(Math.round(reserveMb)),
      });
      const whole = await wholeOrganization(api.dataSource, { mark: 'harbourmile' });
      const { organizationId } = whole;
      const { token } = await key(api.dataSource, { organizationId });
      const statuses = [];
      for (const name of [
        'createPartner',
        'correctParticipant',
        'writeCatalogue',
        'planBibs',
        'applyDryRun',
        'updateRaceDay',
      ]) {
        const of = operation(name);
        statuses.push(
          (await api.send(of.method, pathOf(of, whole.ids), BODIES[name]?.(whole), token)).status,
        );
      }
      await api.close();
      return statuses;
    };
    expect(await statusesWith(2 * freeMb)).toEqual([503, 503, 503, 503, 503, 200]);
    expect(await statusesWith(20 * freeMb)).toEqual([503, 503, 503, 503, 503, 503]);
  });
});

/** A program that repeats its changes fills no disk, and stops neither other keys nor the console. */
describe('the bytes of a day for other writes', () => {
  it('end with 429 after half for each key, a tenth for a partner, and for the organization', async () => {
    const api = await startApi({ WRITE_BYTES_PER_DAY: '400000', RATE_IMPORT: '100000' });
    const whole = await wholeOrganization(api.dataSource, { mark: 'harbourmile' });
    const { organizationId } = whole;
    const keyOf = async (partnerId?: string) =>
      (await key(api.dataSource, { organizationId, partnerId })).token;
    /** How many writes are accepted. */
    const acceptedOf = async (token: string, name: string) => {
      const of = operation(name);
      for (let accepted = 0; ; accepted++) {
        const answer = await api.send(of.method, pathOf(of, whole.ids), BODIES[name]?.(whole), token);
        if (answer.status !== 200) return [accepted, answer.status, answer.body.message];
      }
    };
    const [first, second, third] = [await keyOf(), await keyOf(), await keyOf()];
    await api.dataSource.query('UPDATE partners SET can_create_sub_partners = true');
    const partner = await keyOf(whole.ids.partners);
    expect(await acceptedOf(partner, 'createPartner')).toEqual([
      3,
      429,
      expect.stringContaining('your partner'),
    ]);
    expect(await acceptedOf(first, 'correctParticipant')).toEqual([
      13,
      429,
      expect.stringContaining('Your key'),
    ]);
    // The smallest body about a catalogue counts with what its records store.
    expect(await acceptedOf(second, 'writeCatalogue')).toEqual([
      7,
      429,
      expect.stringContaining('Your organization'),
    ]);
    const imported = await api.send('POST', '/v0/credits/import', BODIES.importCredits?.(whole), third);
    expect(imported.status).toBe(200);
    await api.close();
  });
});
