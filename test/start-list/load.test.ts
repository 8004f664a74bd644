import { discountCode, occurrence, partner, race, referralProgram, referrer, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { sharedApi, type TestApi } from '../harness';
import { startLists } from './fixture';

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const counts = (given: object) => ({ created: 0, updated: 0, unchanged: 0, failed: 0, ...given });

describe('start-list load', () => {
  it('loads everything that the API returns of a booking and its entries', async () => {
    const lists = await startLists(api, cli);
    const { organizationId, eventOccurrenceId, ballot, manual, participant } = lists;
    await cli.run('organization', 'enable', lists.slug, 'referrals');
    const charity = await partner(api.dataSource, { organizationId, name: 'River Trust' });
    // A sub-partner has the name that its partner chose: it is no charity of that name.
    await partner(api.dataSource, { organizationId, name: 'River Trust', parentPartnerId: charity.id });
    const sponsor = await partner(api.dataSource, { organizationId, type: 'SPONSOR' });
    const program = await referralProgram(api.dataSource, { organizationId, eventOccurrenceId });
    const { generatedReferralCode, ownerBookingIds } = await referrer(api.dataSource, {
      organizationId,
      referralProgramId: program.id,
    });
    const transactionId = newId();
    const { code, answer } = await lists.load([
      lists.row('web-1', {
        transactionId,
        createdAt: '2026-01-02T03:04:05.678901+01:00',
        bookedAt: '2026-01-02T02:00:00Z',
        referralCode: generatedReferralCode.toLowerCase(),
        metadata: { shop: 'Covent Garden' },
        participants: [
          participant({
            ticketId: ballot.id,
            approvalStatus: 'PENDING',
            ballotDraw: 'Draw 1',
            applicationNotes: 'Asked for a later start',
          }),
          participant({
            ticketId: manual.id,
            bibNumber: 'A1',
            participantNotes: ['Needs a guide runner'],
            partnerMarketingOptIns: [{ partnerId: sponsor.id, optedIn: false }],
            charityOptIn: ['River Trust'],
            resultSubmission: { url: 'https://results.example.com/1', submittedAt: '2026-02-01T10:00:00Z' },
          }),
        ],
      }),
      lists.row('web-2', { transactionId, source: 'DASHBOARD' }),
      lists.row('api-3', { source: 'API' }),
      lists.row('web-4', {
        participants: [
          participant({ ticketId: manual.id, approvalStatus: 'REJECTED', resolution: 'MANUAL' }),
        ],
      }),
    ]);
    expect([code, answer]).toMatchObject([0, counts({ rows: 4, created: 4, dryRun: false })]);

    const first = await lists.read('web-1');
    expect(first.booking).toMatchObject({
      source: 'WEBSITE',
      createdAt: '2026-01-02T02:04:05.678901Z',
      bookedAt: '2026-01-02T02:00:00.000000Z',
      metadata: { shop: 'Covent Garden', startline: {} },
    });
    expect(first.applications).toMatchObject([
      {
        transactionId,
        createdAt: '2026-01-02T02:04:05.678901Z',
        approvalStatus: 'PENDING',
        applicationResolutionType: 'BALLOT',
        ballotDraw: 'Draw 1',
        notes: 'Asked for a later start',
        bookingCodesUsed: { referralCodes: [generatedReferralCode] },
      },
      { transactionId, approvalStatus: 'APPROVED', applicationResolutionType: 'MANUAL', ballotDraw: null },
    ]);
    expect(first.participants).toMatchObject([
      {
        bibNumber: 'A1',
        notes: ['Needs a guide runner'],
        partnerMarketingOptIns: [
          { partnerId: sponsor.id, optedIn: false },
          { partnerId: charity.id, optedIn: true },
        ],
        charityOptIn: ['River Trust'],
        resultSubmission: {
          url: 'https://results.example.com/1',
          submittedAt: '2026-02-01T10:00:00.000000Z',
        },
        bookingSource: 'PLATFORM',
      },
    ]);
    const referrals = await lists.get(
      `/v0/referral-programs/${program.id}/referrers/${ownerBookingIds[0]}/referrals`,
    );
    expect(referrals.data).toHaveLength(2);
    const second = await lists.read('web-2');
    expect(second.booking.source).toBe('DASHBOARD');
    expect(second.applications[0].transactionId).toBe(transactionId);
    const third = await lists.read('api-3');
    expect(third.applications[0]).toMatchObject({ applicationResolutionType: 'INSTANT' });
    expect(third.participants[0].bookingSource).toBe('EXTERNAL');
    expect((await lists.read('web-4')).applications[0]).toMatchObject({ approvalStatus: 'REJECTED' });
    expect(
      (await api.send('DELETE', `/v0/bookings/${first.booking.id}`, undefined, lists.token)).status,
    ).toBe(403);
    const { answer: log } = await cli.run(
      'audit',
      'list',
      '--organization',
      lists.slug,
      '--action',
      'start_list',
    );
    expect(log).toMatchObject([{ action: 'start_list.load', details: { bytes: expect.any(Number) } }]);
  });

  it('reads times without a zone in that of the event, and keeps them when it is loaded again', async () => {
    const lists = await startLists(api, cli);
    await api.dataSource.query('UPDATE event_occurrences SET time_zone = $2 WHERE id = $1', [
      lists.eventOccurrenceId,
      'Pacific/Auckland',
    ]);
    const local = (ago: number) =>
      new Intl.DateTimeFormat('sv-SE', {
        timeZone: 'Pacific/Auckland',
        ...({ dateStyle: 'short', timeStyle: 'medium' } as const),
      })
        .format(Date.now() - ago)
        .replace(' ', 'T');
    const submitted = lists.participant({
      resultSubmission: { url: 'https://results.example.com/1', submittedAt: '2026-05-02T08:00:00' },
    });
    const rows = [
      lists.row('local-1', {
        ...{ createdAt: '2026-05-01T08:00:00', bookedAt: '2026-05-01T07:59:59' },
        participants: [submitted],
      }),
      lists.row('local-2', { createdAt: local(60_000), bookedAt: '2026-04-05T02:30:00' }),
      lists.row('local-3', { createdAt: local(-60_000) }),
    ];
    const { answer } = await lists.load(rows);
    expect(answer).toMatchObject(counts({ created: 2, failed: 1 }));
    expect(answer.problems).toMatchObject([{ line: 3, code: 'OUT_OF_RANGE' }]);
    expect(answer.warnings).toEqual([
      {
        line: 2,
        warning:
          'bookedAt exists twice in Pacific/Auckland, because clocks change: ' +
          '2026-04-05T02:30:00+13:00 is stored, not 2026-04-05T02:30:00+12:00',
      },
    ]);
    const { booking, participants } = await lists.read('local-1');
    expect(booking).toMatchObject({
      createdAt: '2026-04-30T20:00:00.000000Z',
      bookedAt: '2026-04-30T19:59:59.000000Z',
    });
    expect(participants).toMatchObject([
      { resultSubmission: { submittedAt: '2026-05-01T20:00:00.000000Z' } },
    ]);
    expect((await lists.load(rows.slice(0, 2))).answer).toMatchObject(counts({ unchanged: 2 }));
  });

  it('loads JSON Lines, JSON and CSV with the same result', async () => {
    const states: unknown[] = [];
    for (const format of ['jsonl', 'json', 'csv']) {
      const lists = await startLists(api, cli);
      const rows = [
        lists.row('order-1', {
          tracking: { campaign: 'spring' },
          participants: [
            lists.participant({
              tags: ['club', 'first-timer'],
              price: { value: 1200, currencyCode: 'GBP' },
              team: { name: 'Engines', role: 'CAPTAIN' },
            }),
            lists.participant({ firstName: 'Grace, "Amazing"', bibNumber: '007' }),
          ],
        }),
        lists.row('order-2'),
      ];
      const csv = [
        'externalBookingId,eventOccurrenceId,booker.email,booker.firstName,booker.lastName,tracking.campaign,participant.ticketId,participant.firstName,participant.lastName,participant.tags,participant.price.value,participant.price.currencyCode,participant.team.name,participant.team.role,participant.bibNumber',
        `order-1,${lists.eventOccurrenceId},order-1@example.com,Ada,Lovelace,spring,${lists.instant.id},Ada,Lovelace,club|first-timer,1200,GBP,Engines,CAPTAIN,`,
        `order-1,,,,,,${lists.instant.id},"Grace, ""Amazing""",Lovelace,,,,,,007`,
        `order-2,${lists.eventOccurrenceId},order-2@example.com,Ada,Lovelace,,${lists.instant.id},Ada,Lovelace,,,,,,`,
      ].join('\r\n');
      const content = {
        jsonl: rows.map((row) => `${JSON.stringify(row)}\n\n`).join(''),
        json: JSON.stringify(rows),
        csv,
      }[format] as string;
      const { answer } = await lists.loadFile(`bookings.${format}`, `\uFEFF${content}`);
      expect([format, answer]).toMatchObject([format, counts({ rows: 2, created: 2 })]);
      const state = await lists.state();
      states.push(JSON.parse(JSON.stringify(state), (name, value) => (name === 'id' ? '' : value)));
    }
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
  });

  it('names the columns of a table that it does not load', async () => {
    const lists = await startLists(api, cli);
    const csv = [
      'externalBookingId;eventOccurrenceId;booker.email;booker.firstName;booker.lastName;Remarks;participant.ticketId;participant.firstName;participant.lastName;participant.bibNumbr',
      `order-1;${lists.eventOccurrenceId};a@example.com;Ada;Lovelace;late;${lists.instant.id};Ada;Lovelace;7`,
      `order-1;;;;;;${lists.instant.id};Grace;Hopper;8`,
    ].join('\n');
    const { code, answer } = await lists.loadFile('remarks.csv', csv);
    expect([code, answer]).toMatchObject([0, counts({ rows: 1, created: 1 })]);
    expect(answer.warnings).toEqual([
      { line: 1, warning: 'The column "Remarks" is not loaded: no property has this name' },
      {
        line: 1,
        warning:
          'The column "participant.bibNumbr" is not loaded: no property has this name (did you mean "participants[0].bibNumber"?)',
      },
    ]);
    const { participants } = await lists.read('order-1');
    expect(participants.map(({ bibNumber }) => bibNumber)).toEqual([null, null]);
    const renamed = csv.replace('participant.ticketId', 'participant.tickt');
    expect((await lists.loadFile('renamed.csv', renamed)).answer).toMatchObject({
      error: 'INVALID_FILE',
      message: expect.stringContaining('"participant.tickt" (did you mean "participants[0].ticketId"?)'),
    });
  });

  describe('repeated with changes', () => {
    it('writes nothing if nothing differs', async () => {
      const lists = await startLists(api, cli);
      const rows = [
        lists.row('order-1', {
          createdAt: '2026-01-01T00:00:00Z',
          bookedAt: '2026-01-01T00:00:00.1234567Z',
          booker: { email: 'A@example.com', firstName: 'A', lastName: 'B', phone: null },
          metadata: { shop: 'x', list: [1, { a: null }] },
          tracking: { source: 'mail' },
          participants: [
            lists.participant({
              email: 'ADA@example.com',
              bibNumber: '1',
              waveId: lists.waveId,
              tags: ['b', 'a'],
              team: { name: 'Engines' },
              price: { value: 100, currencyCode: 'GBP' },
              externalParticipantId: ' runner-1 ',
            }),
            lists.participant({ gender: 'FEMALE', dateOfBirth: '1990-01-01', charityOptIn: [] }),
          ],
        }),
        lists.row('order-2', {
          participants: [lists.participant({ ticketId: lists.ballot.id, approvalStatus: 'PENDING' })],
        }),
      ];
      expect((await lists.load(rows)).answer).toMatchObject(counts({ created: 2 }));
      const before = [await lists.read('order-1'), await lists.read('order-2')];
      // The catalogue changes; the sold bookings stay.
      await api.dataSource.query(
        `UPDATE tickets SET price_value = price_value + 1 WHERE organization_id = $1`,
        [lists.organizationId],
      );
      expect((await lists.load(rows)).answer).toMatchObject(counts({ unchanged: 2 }));
      expect([await lists.read('order-1'), await lists.read('order-2')]).toEqual(before);
    });

    it('writes only what differs', async () => {
      const lists = await startLists(api, cli);
      const rows = ['order-1', 'order-2', 'order-3'].map((id) =>
        lists.row(id, {
          participants: [
            lists.participant({ externalParticipantId: `${id}-a`, bibNumber: `${id.at(-1)}0` }),
            lists.participant({ externalParticipantId: `${id}-b` }),
          ],
        }),
      );
      await lists.load(rows);
      const before = await lists.read('order-3');
      const [a, b] = (await lists.read('order-1')).participants;
      const changed = [
        {
          ...rows[0],
          source: 'DASHBOARD',
          participants: [
            // In another order, by external id.
            lists.participant({ externalParticipantId: 'order-1-b', firstName: 'Grace', tags: ['new'] }),
            lists.participant({
              externalParticipantId: 'order-1-a',
              bibNumber: '20',
              participantNotes: ['x'],
            }),
          ],
        },
        {
          ...rows[1],
          booker: { ...(rows[1]?.booker as object), email: 'new@example.com' },
          participants: [
            lists.participant({ externalParticipantId: 'order-2-a', bibNumber: null }),
            lists.participant({ externalParticipantId: 'order-2-b', bibNumber: '10' }),
          ],
        },
        rows[2],
      ];
      const { answer } = await lists.load(changed);
      expect(answer).toMatchObject(counts({ updated: 2, unchanged: 1 }));
      expect(await lists.read('order-3')).toEqual(before);
      const first = await lists.read('order-1');
      expect(first.booking.source).toBe('DASHBOARD');
      expect(first.participants).toMatchObject([
        { id: a.id, bibNumber: '20', notes: ['x'], tags: [] },
        { id: b.id, bibNumber: null, tags: ['new'] },
      ]);
      expect(first.participants[1].fields.find(({ key }) => key === 'firstName')?.value).toBe('Grace');
      const second = await lists.read('order-2');
      expect(second.booking.booker.email).toBe('new@example.com');
      expect(second.participants.map(({ bibNumber }: any) => bibNumber)).toEqual([null, '10']);
      const { body } = await api.send(
        'POST',
        `/v0/event-occurrences/${lists.eventOccurrenceId}/registration-status`,
        { email: 'new@example.com' },
        lists.token,
      );
      expect(body.registered).toBe(true);
      expect((await lists.load(changed)).answer).toMatchObject(counts({ unchanged: 3 }));
    });

    it('changes nothing of the sale, and reports what cannot be corrected', async () => {
      const lists = await startLists(api, cli);
      const other = await occurrence(api.dataSource, { organizationId: lists.organizationId });
      const otherRace = await race(api.dataSource, {
        organizationId: lists.organizationId,
        eventOccurrenceId: other.id,
      });
      const otherTicket = await ticket(api.dataSource, {
        organizationId: lists.organizationId,
        raceId: otherRace.id,
      });
      const price = (value: number) => ({ price: { value, currencyCode: 'GBP' } });
      const row = lists.row('order-1', { participants: [lists.participant(price(100))] });
      await lists.load([row]);
      const before = await lists.state();
      const refused = async (given: object) => {
        const { code, answer } = await lists.load([{ ...row, ...given }]);
        expect([code, answer]).toMatchObject([1, counts({ failed: 1 })]);
        return answer.problems[0];
      };
      const cases: [object, string][] = [
        [{ participants: [lists.participant(price(99))] }, 'participants[0].price'],
        [{ participants: [lists.participant({ ticketId: lists.ballot.id })] }, 'participants[0].ticketId'],
        [{ participants: [lists.participant(), lists.participant()] }, 'participants'],
        [{ createdAt: '2020-01-01T00:00:00Z' }, 'createdAt'],
        [{ discountCode: 'NEW' }, 'discountCode'],
        [
          {
            eventOccurrenceId: other.id,
            participants: [lists.participant({ ticketId: otherTicket.id })],
          },
          'eventOccurrenceId',
        ],
      ];
      for (const [given, path] of cases) {
        expect(await refused(given)).toEqual({
          line: 1,
          externalBookingId: 'order-1',
          code: 'NOT_CORRECTABLE',
          message: expect.stringContaining(`${path} can't be corrected`),
        });
      }
      expect(await lists.state()).toEqual(before);
    });

    it('does not undo decisions, cancellations or redactions', async () => {
      const lists = await startLists(api, cli);
      const rows = [
        lists.row('pending', {
          participants: [lists.participant({ ticketId: lists.manual.id, approvalStatus: 'PENDING' })],
        }),
        lists.row('cancelled', { source: 'API' }),
        lists.row('redacted'),
      ];
      await lists.load(rows);
      const [pending, cancelled, redacted] = await Promise.all(
        ['pending', 'cancelled', 'redacted'].map(lists.read),
      );
      await cli.run('application', 'approve', pending?.applications[0].id as string);
      await api.send('DELETE', `/v0/bookings/${cancelled?.booking.id}`, undefined, lists.token);
      await cli.run('participant', 'redact', redacted?.participants[0].id as string);
      const before = await lists.state();
      const { code, answer } = await lists.load(rows);
      expect([code, answer]).toMatchObject([0, counts({ unchanged: 2, cancelledBefore: 1 })]);
      expect(await lists.state()).toEqual(before);
      const reject = {
        ...rows[0],
        participants: [{ ...(rows[0]?.participants[0] as object), approvalStatus: 'REJECTED' }],
      };
      expect((await lists.load([reject])).answer.problems).toMatchObject([{ code: 'NOT_CORRECTABLE' }]);
    });

    it('decides pending applications', async () => {
      const lists = await startLists(api, cli);
      const rows = (approvalStatus: string) => [
        lists.row('order-1', {
          participants: [lists.participant({ ticketId: lists.manual.id, approvalStatus })],
        }),
      ];
      await lists.load(rows('PENDING'));
      expect((await lists.load(rows('REJECTED'))).answer).toMatchObject(counts({ updated: 1 }));
      expect((await lists.read('order-1')).applications[0]).toMatchObject({
        approvalStatus: 'REJECTED',
        statusDetails: [{ status: 'REJECTED', reason: null }],
      });
    });
  });

  describe('an invalid line', () => {
    it('fails alone, and is named', async () => {
      const lists = await startLists(api, cli);
      const { participant, row } = lists;
      const stranger = await startLists(api, cli);
      const { id: foreignPartner } = await partner(api.dataSource, {
        organizationId: stranger.organizationId,
      });
      const good = (n: number) => JSON.stringify(row(`good-${n}`));
      const one = (given: object) =>
        JSON.stringify(row(`bad-${newId()}`, { participants: [participant(given)] }));
      const bad: [line: string, code: string, message: string][] = [
        ['{', 'INVALID_JSON', ''],
        ['null', 'INVALID_TYPE', 'The row must be an object'],
        ['[]', 'INVALID_TYPE', 'The row must be an object'],
        ['{"externalBookingId": "\\u0000"}', 'UNUSABLE_TEXT', 'externalBookingId'],
        ['{"externalBookingId": "\\ud800"}', 'UNUSABLE_TEXT', 'externalBookingId'],
        ['{"a": 12345678901234567890}', 'INEXACT_NUMBER', 'a'],
        [`{"a": ${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 'TOO_COMPLEX', ''],
        [`{"a": "${'x'.repeat(6 * 1024 * 1024)}"}`, 'TOO_LONG', 'The row must not be longer than 5 MB'],
        [JSON.stringify({ ...row('x'), metadata: { a: 'x'.repeat(199_990) } }), 'TOO_LONG', 'The row'],
        [JSON.stringify({ ...row('x'), surprise: 1 }), 'UNKNOWN_PROPERTY', 'surprise'],
        [JSON.stringify({ ...row('x'), booker: undefined }), 'REQUIRED', 'booker'],
        [
          JSON.stringify({ ...row('future'), createdAt: '2999-01-01T00:00:00Z' }),
          'OUT_OF_RANGE',
          'createdAt',
        ],
        [JSON.stringify({ ...row('x'), source: 'SHOP' }), 'INVALID_VALUE', 'source'],
        [
          JSON.stringify({ ...row('x'), metadata: { startline: {} } }),
          'INVALID_COMBINATION',
          'metadata.startline',
        ],
        [JSON.stringify(row('good-1')), 'DUPLICATE', 'externalBookingId is the same as in line 1'],
        [
          JSON.stringify({ ...row('good-1'), externalBookingId: ' good-1 ' }),
          'DUPLICATE',
          'externalBookingId is the same as in line 1',
        ],
        [one({ approvalStatus: 'PENDING' }), 'INVALID_APPROVAL', 'participants[0].approvalStatus'],
        [
          one({ ticketId: lists.ballot.id, approvalStatus: 'PENDING', bibNumber: '1' }),
          'INVALID_COMBINATION',
          'bibNumber',
        ],
        [
          one({ resultSubmission: { url: 'javascript:alert(1)', submittedAt: '2026-01-01' } }),
          'INVALID_FORMAT',
          'resultSubmission',
        ],
        [one({ charityOptIn: ['Nobody'] }), 'PARTNER_NOT_FOUND', 'charityOptIn[0]'],
        [
          one({ partnerMarketingOptIns: [{ partnerId: foreignPartner, optedIn: true }] }),
          'PARTNER_NOT_FOUND',
          'partnerId',
        ],
        [one({ ticketId: stranger.instant.id }), 'TICKET_NOT_FOUND', 'ticketId'],
        [one({ waveId: stranger.waveId }), 'WAVE_NOT_FOUND', 'waveId'],
        [
          JSON.stringify(row('x', { eventOccurrenceId: stranger.eventOccurrenceId })),
          'EVENT_OCCURRENCE_NOT_FOUND',
          'eventOccurrenceId',
        ],
        [JSON.stringify(row('y', { referralCode: 'NOBODY' })), 'REFERRER_NOT_FOUND', 'referralCode'],
        [JSON.stringify(row('z', { discountCode: 'NOBODY' })), 'DISCOUNT_CODE_NOT_FOUND', 'discountCode'],
      ];
      const lines = [good(1), ...bad.map(([line]) => line), good(2)];
      const { code, answer } = await lists.load(lines.join('\n'));
      expect([code, answer.error]).toEqual([1, 'INVALID_ROWS']);
      expect(answer).toMatchObject(counts({ rows: lines.length, created: 2, failed: bad.length }));
      for (const [i, [, expected, message]] of bad.entries()) {
        const found = answer.problems.filter(({ line }: any) => line === i + 2);
        expect([i, found.map((each: any) => each.code)]).toEqual([i, expect.arrayContaining([expected])]);
        expect(found.map((each: any) => each.message).join()).toContain(message);
      }
      expect((await lists.state()).map((each: any) => each.external_booking_id)).toEqual([
        'good-1',
        'good-2',
      ]);
      const said = await cli.say(
        'start-list',
        'load',
        cli.file('one.jsonl', '{'),
        '--organization',
        lists.slug,
      );
      expect(said.code).toBe(1);
      expect(said.stderr).toContain('line 1: The row');
    });

    it('of a CSV file fails its whole booking', async () => {
      const lists = await startLists(api, cli);
      const header =
        'externalBookingId,eventOccurrenceId,booker.email,booker.firstName,booker.lastName,participant.ticketId,participant.firstName,participant.lastName';
      const start = (id: string, names: string) =>
        `${id},${lists.eventOccurrenceId},${id}@example.com,Ada,Lovelace,${lists.instant.id},${names}`;
      const { answer } = await lists.loadFile(
        'bookings.csv',
        [
          header,
          start('a', 'Ada,Lovelace'),
          `a,,other@example.com,,,${lists.instant.id},Grace,Hopper`,
          start('b', ','),
          start('c', 'C,'),
        ].join('\n'),
      );
      expect(answer).toMatchObject(counts({ rows: 3, created: 1, failed: 2 }));
      expect(answer.problems).toMatchObject([
        { line: 3, message: 'Column "booker.email" is not the same as in row 2 of the same booking.' },
        { line: 4, externalBookingId: 'b', message: 'Column "participant.lastName" is empty.' },
      ]);
    });

    it('that matches no kind of row rejects the file', async () => {
      const lists = await startLists(api, cli);
      const fail = async (name: string, content: string) => (await lists.loadFile(name, content)).answer;
      expect(await fail('rows.txt', '')).toMatchObject({ error: 'INVALID_FILE' });
      expect(await fail('rows.json', '[')).toMatchObject({ error: 'INVALID_FILE' });
      expect(await fail('rows.csv', 'externalBookingId,surprise\n')).toMatchObject({
        error: 'INVALID_FILE',
        message: expect.stringContaining('"surprise"'),
      });
      const missing = await cli.run('start-list', 'load', '/nowhere.jsonl', '--organization', lists.slug);
      expect(missing.answer.error).toBe('NOT_FOUND');
      const nobody = await cli.run('start-list', 'load', cli.file('e.jsonl', ''), '--organization', 'nobody');
      expect(nobody.answer.error).toBe('NOT_FOUND');
    });

    it('that names a referral code of its own booking stores nothing of the row', async () => {
      const lists = await startLists(api, cli);
      const { organizationId, eventOccurrenceId } = lists;
      const { id: referralProgramId } = await referralProgram(api.dataSource, {
        organizationId,
        eventOccurrenceId,
      });
      const of = { organizationId, referralProgramId };
      const [one, two] = [await referrer(api.dataSource, of), await referrer(api.dataSource, of)];
      await lists.load([lists.row('a', { referralCode: one.generatedReferralCode })]);
      const stored = async () =>
        (await lists.state()).filter((each: any) => each.external_booking_id === 'a');
      const before = await stored();
      const { answer } = await lists.load([
        lists.row('a', { referralCode: two.generatedReferralCode, source: 'DASHBOARD' }),
        lists.row('b', { referralCode: two.generatedReferralCode }),
      ]);
      expect(answer).toMatchObject(counts({ created: 1, failed: 1 }));
      expect(answer.problems).toMatchObject([{ line: 1, code: 'REFERRAL_ALREADY_ATTRIBUTED' }]);
      expect(await stored()).toEqual(before);
    });
  });

  it('with --dry-run reports the outcome of the rows, and writes nothing', async () => {
    const lists = await startLists(api, cli);
    await lists.load([lists.row('a'), lists.row('b')]);
    const before = await lists.state();
    const rows = [lists.row('a'), lists.row('b', { source: 'DASHBOARD' }), lists.row('c'), { nothing: true }];
    const { code, answer } = await lists.load(rows, '--dry-run');
    expect([code, answer]).toMatchObject([
      1,
      counts({ dryRun: true, created: 1, updated: 1, unchanged: 1, failed: 1 }),
    ]);
    expect(await lists.state()).toEqual(before);
    const { answer: log } = await cli.run(
      'audit',
      'list',
      '--organization',
      lists.slug,
      '--action',
      'start_list',
    );
    expect(log).toHaveLength(1);
  });

  it('with --dry-run knows over several chunks what earlier rows took, as the load does', async () => {
    const small = {
      NODE_ENV: 'test',
      STARTLINE_TEST_IMPORT_CHUNK_ROWS: '2',
      STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
    };
    const lists = await startLists(api, cli);
    const { organizationId, eventOccurrenceId } = lists;
    await cli.run('organization', 'enable', lists.slug, 'referrals');
    await discountCode(api.dataSource, { organizationId, code: 'THREE', limitUsage: 3 });
    const program = await referralProgram(api.dataSource, { organizationId, eventOccurrenceId });
    await lists.load([lists.row('owner')]);
    const { data } = await lists.get(`/v0/referral-programs/${program.id}/referrers`);
    const referralCode = data[0]?.generatedReferralCode;
    const row = (n: number, given: object = {}) => lists.row(`row-${n}`, given);
    const bib = (bibNumber: string) => ({ participants: [lists.participant({ bibNumber })] });
    const rows = [
      row(1, { discountCode: 'THREE' }),
      row(2, bib('7')),
      row(3, { discountCode: 'three' }),
      // Nobody is referred by themselves: what its chunk took is undone and taken again.
      lists.row('owner', { referralCode }),
      row(4, { discountCode: 'THREE' }),
      row(5, bib('7')),
      row(6, { discountCode: 'THREE' }),
      row(7, bib('8')),
      row(8, bib('8')),
    ];
    const path = cli.file('takings.jsonl', rows.map((each) => JSON.stringify(each)).join('\n'));
    const load = (...words: string[]) =>
      cli.runWith(small, 'start-list', 'load', path, '--organization', lists.slug, ...words);
    const { answer: dry } = await load('--dry-run');
    const { answer: real } = await load();
    expect({ ...dry, dryRun: false, message: real.message }).toEqual(real);
    expect(real.problems.map(({ externalBookingId, code }: any) => [externalBookingId, code])).toEqual([
      ['owner', 'OWN_BOOKING'],
      ['row-5', 'BIB_NUMBER_TAKEN'],
      ['row-6', 'DISCOUNT_LIMIT_REACHED'],
      ['row-8', 'BIB_NUMBER_TAKEN'],
    ]);
  });

  it('writes nothing more while the database is nearly full', async () => {
    const lists = await startLists(api, cli);
    const path = cli.file('full.jsonl', JSON.stringify(lists.row('a')));
    const full = { DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '1000000000' };
    const words = ['start-list', 'load', path, '--organization', lists.slug];
    const refused = await cli.runWith(full, ...words);
    expect([refused.code, refused.answer.error]).toEqual([1, 'DATABASE_FULL']);
    expect(await lists.state()).toEqual([]);
    expect((await cli.runWith({ ...full, DISK_RESERVE_MB: '0' }, ...words)).answer).toMatchObject({
      created: 1,
    });
  });

  it('does not change bookings of other organizations', async () => {
    const [ours, theirs] = [await startLists(api, cli), await startLists(api, cli)];
    await theirs.load([theirs.row('order-1')]);
    const before = await theirs.state();
    expect((await ours.load([ours.row('order-1')])).answer).toMatchObject(counts({ created: 1 }));
    expect(await theirs.state()).toEqual(before);
  });
});
