import { booking } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { message, RaceDay } from './race-day';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  raceDay = await RaceDay.of(api);
});
afterAll(async () => {
  await api?.close();
});

const show = async (participantId: string) => {
  await raceDay.settled();
  return raceDay.shown(participantId);
};
const accepted = async (participantId: string, body: unknown) => {
  expect(await raceDay.update(participantId, body)).toMatchObject({ status: 200, body: { success: true } });
};

describe('PATCH /v0/participants/{id}/race-day', () => {
  describe('applies', () => {
    it('a bib, and removes it with null', async () => {
      const id = await raceDay.participant();
      await accepted(id, { bibNumber: '42' });
      expect(await show(id)).toMatchObject({ bibNumber: '42' });
      await accepted(id, { bibNumber: null });
      expect(await show(id)).toMatchObject({ bibNumber: null });
    });

    describe('what does not show, and reports it', () => {
      const receipt = async (id: string, bibNumber: string | null) => {
        const { status, body } = await raceDay.update(id, {
          bibNumber,
          customFields: [{ id: 'kit', value: 1 }],
        });
        expect(status).toBe(200);
        return body;
      };
      const errorsOf = async (id: string) => {
        await raceDay.settled();
        return (await api.get(`/v0/participants/${id}`)).body.raceDayErrors;
      };

      it('a bib of another participant of the race, applied or not', async () => {
        const [holder, other] = (await raceDay.participants(2)) as [string, string];
        expect(await receipt(holder, '77')).toMatchObject({ conflicts: [] });
        for (let i = 0; i < 2; i++) {
          const { conflicts, message: words } = await receipt(other, '77');
          expect(conflicts).toEqual(['BIB_NUMBER_TAKEN']);
          expect(words).toContain('another participant of the race');
          expect(await errorsOf(other)).toEqual(['BIB_NUMBER_TAKEN']);
        }
        // The other participant's claim is now the earlier one.
        expect(await receipt(holder, '77')).toMatchObject({ conflicts: ['BIB_NUMBER_TAKEN'] });
        expect(await errorsOf(holder)).toEqual(['BIB_NUMBER_TAKEN']);
        expect(await errorsOf(other)).toEqual([]);
      });

      it('but not a bib that was given up, or is of another race', async () => {
        const [holder, other] = (await raceDay.participants(2)) as [string, string];
        await receipt(await raceDay.participant(), '78');
        await receipt(holder, '78');
        await raceDay.settled();
        await receipt(holder, null);
        expect(await receipt(other, '78')).toMatchObject({ conflicts: [] });
        expect(await errorsOf(other)).toEqual([]);
        expect(await show(other)).toMatchObject({ bibNumber: '78' });
      });

      it('a bib that is older than the current one', async () => {
        const id = await raceDay.participant();
        await receipt(id, '80');
        const changedAt = '2026-05-04T09:00:00Z';
        const { body } = await raceDay.update(id, { bibNumber: '81', changedAt });
        expect(body).toMatchObject({
          conflicts: ['BIB_OVERTAKEN'],
          message: expect.stringContaining('newer'),
        });
        expect(await show(id)).toMatchObject({ bibNumber: '80' });
      });

      it('a bib of a cancelled participant, whose fields show', async () => {
        const { id: bookingId, entries } = await raceDay.booking(1);
        const id = entries[0]?.participantId as string;
        await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
        expect(await receipt(id, '79')).toMatchObject({
          conflicts: ['PARTICIPANT_CANCELLED'],
          message: expect.stringContaining('cancelled'),
        });
        expect(await errorsOf(id)).toEqual([]);
        expect(await show(id)).toMatchObject({ bibNumber: null, customFields: [{ id: 'kit', value: 1 }] });
        expect(await receipt(id, null)).toMatchObject({ conflicts: [] });
      });
    });

    it('custom fields separately, without changing the bib', async () => {
      const id = await raceDay.participant();
      await accepted(id, { bibNumber: '43', customFields: [{ id: 'kit', value: 'collected' }] });
      await accepted(id, { customFields: [{ id: 'chip', value: { number: 7 } }] });
      await accepted(id, { customFields: [{ id: 'kit', value: null }] });
      expect(await show(id)).toMatchObject({
        bibNumber: '43',
        customFields: [
          { id: 'chip', value: { number: 7 } },
          { id: 'kit', value: null },
        ],
      });
    });

    it('over messages with later times, until a still later one arrives', async () => {
      const id = await raceDay.participant();
      const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      await raceDay.accepted(message({ participantId: id, bibNumber: 'AHEAD' }, ahead(20)));
      await raceDay.settled();
      await accepted(id, { bibNumber: 'MINE' });
      expect(await show(id)).toMatchObject({ bibNumber: 'MINE' });
      await raceDay.accepted(message({ participantId: id, bibNumber: 'OLDER' }, ahead(19)));
      expect(await show(id)).toMatchObject({ bibNumber: 'MINE' });
      await raceDay.accepted(message({ participantId: id, bibNumber: 'NEWER' }, ahead(21)));
      expect(await show(id)).toMatchObject({ bibNumber: 'NEWER' });
    });

    it('whatever keys say that may not reach the participant', async () => {
      const { entries } = await raceDay.booking(2);
      const [id = '', other = ''] = entries.map(({ participantId }) => participantId);
      const { eventOccurrenceId } = await raceDay.booking(1);
      const elsewhere = await RaceDay.of(api, { eventOccurrenceIds: [eventOccurrenceId] });
      const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      const foreign = message({ participantId: id, bibNumber: 'FOREIGN' }, ahead(23));
      expect(await elsewhere.accepted(foreign)).toMatchObject({ unidentified: [0] });
      await raceDay.settled();
      const said = async (participantId: string, given: object) =>
        (await raceDay.update(participantId, { bibNumber: 'REACH-2', ...given })).body.conflicts;
      expect(await said(id, { changedAt: ahead(-0.001) })).toEqual([]);
      expect(await said(other, {})).toEqual(['BIB_NUMBER_TAKEN']);
      await raceDay.settled();
      const taken = message({ participantId: other, bibNumber: 'REACH-2' }, ahead(1));
      expect((await raceDay.accepted(taken)).conflicts).toEqual([{ index: 0, code: 'BIB_NUMBER_TAKEN' }]);
      await accepted(id, { bibNumber: 'REACH-3' });
      await api.send('PATCH', `/v0/participants/${id}`, { bibNumber: 'REACH-4' });
      expect(await show(id)).toMatchObject({ bibNumber: 'REACH-4' });
      await raceDay.accepted(message({ participantId: id, bibNumber: 'REACH-5' }, ahead(2)));
      expect(await show(id)).toMatchObject({ bibNumber: 'REACH-5' });
    });

    it('no field twice, of whose values one would be lost', async () => {
      const id = await raceDay.participant();
      const values = ['kit', ' kit '].map((field, value) => ({ id: field, value }));
      const { status, body } = await raceDay.update(id, { customFields: values });
      expect([status, body.problems]).toEqual([
        400,
        [expect.objectContaining({ path: 'customFields[1].id', code: 'DUPLICATE' })],
      ]);
    });

    it('no more fields than a participant may have, and no more bytes', async () => {
      const id = await raceDay.participant();
      const fields = (prefix: string, howMany: number, value: string) =>
        Array.from({ length: howMany }, (_, n) => ({ id: `${prefix}${n}`, value }));
      const refused = async (customFields: object[]) =>
        expect(await raceDay.update(id, { bibNumber: '77', customFields })).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('at most 200 fields, and 29500 bytes of JSON in total') },
        });
      await accepted(id, { customFields: fields('a', 100, 'x') });
      await accepted(id, { customFields: fields('b', 100, 'x') });
      await refused([{ id: 'one-more', value: 'x' }]);
      await accepted(id, { customFields: fields('a', 2, 'y'.repeat(9_000)) });
      await refused(fields('b', 1, 'y'.repeat(9_000)));
      // 3,000 characters, 9,000 bytes.
      await refused(fields('b', 1, '東'.repeat(3_000)));
      await accepted(id, { customFields: fields('a', 2, 'z') });
      await accepted(id, { customFields: fields('b', 1, '東'.repeat(3_000)) });
      const { bibNumber, customFields } = await show(id);
      expect(bibNumber).toBeNull();
      expect(customFields).toHaveLength(200);
    });

    it('the last of many concurrent updates', async () => {
      const id = await raceDay.participant();
      await Promise.all(Array.from({ length: 20 }, (_, n) => accepted(id, { bibNumber: `N${n}` })));
      await accepted(id, { bibNumber: 'LAST' });
      expect(await show(id)).toMatchObject({ bibNumber: 'LAST' });
    });
  });

  describe('accepts the time of the change', () => {
    const hour = (n: number) => `2026-05-04T${String(n).padStart(2, '0')}:00:00Z`;

    it('and never replaces newer data with it', async () => {
      const id = await raceDay.participant();
      await raceDay.accepted(message({ participantId: id, bibNumber: 'TEN' }, hour(10)));
      await accepted(id, { bibNumber: 'NINE', customFields: [{ id: 'kit', value: 9 }], changedAt: hour(9) });
      expect(await show(id)).toMatchObject({ bibNumber: 'TEN', customFields: [{ id: 'kit', value: 9 }] });
      await accepted(id, {
        bibNumber: 'ELEVEN',
        customFields: [{ id: 'kit', value: 8 }],
        changedAt: hour(8),
      });
      expect(await show(id)).toMatchObject({ bibNumber: 'TEN', customFields: [{ id: 'kit', value: 9 }] });
      await accepted(id, { bibNumber: 'ELEVEN', changedAt: '2026-05-04T12:00:00+01:00' });
      expect(await show(id)).toMatchObject({ bibNumber: 'ELEVEN' });
    });

    it('and rejects it if it is in the future, before 1970 or malformed', async () => {
      const id = await raceDay.participant();
      const before = await raceDay.logged();
      const refusals: [changedAt: unknown, says: string][] = [
        [new Date(Date.now() + 3_600_000).toISOString(), 'changedAt must not be in the future'],
        ['1969-12-31T23:59:59Z', 'changedAt must not be before 1970'],
        ['yesterday', 'changedAt must be an ISO 8601 date-time'],
        [null, 'changedAt must be a string'],
      ];
      for (const [changedAt, says] of refusals) {
        const { status, body } = await raceDay.update(id, { bibNumber: '1', changedAt });
        expect([status, body.message]).toEqual([400, expect.stringContaining(says)]);
      }
      expect(await raceDay.logged()).toBe(before);
    });
  });

  describe('accepts an Idempotency-Key', () => {
    const update = (id: string, body: unknown, given: string) =>
      api.send('PATCH', `/v0/participants/${id}/race-day`, body, undefined, { 'idempotency-key': given });

    it('and stores an update with it once, for any number of concurrent repeats', async () => {
      const id = await raceDay.participant();
      const before = await raceDay.logged();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => update(id, { bibNumber: '51' }, 'scanner-1')),
      );
      answers.push(await update(id, { bibNumber: '51' }, 'scanner-1'));
      expect(answers.map(({ status, body }) => [status, body.success])).toEqual(Array(6).fill([200, true]));
      expect(await raceDay.logged()).toBe(before + 1);
      expect(await show(id)).toMatchObject({ bibNumber: '51' });
    });

    it('and rejects it with another body, or for another participant', async () => {
      const [id = '', other = ''] = await raceDay.participants(2);
      expect((await update(id, { bibNumber: '52' }, 'scanner-2')).status).toBe(200);
      for (const [whom, bibNumber] of [
        [id, '53'],
        [other, '52'],
      ] as const) {
        const { status, body } = await update(whom, { bibNumber }, 'scanner-2');
        expect([status, body.message]).toEqual([400, expect.stringContaining('used with another body')]);
      }
      expect((await update(id, { bibNumber: '52' }, 'k'.repeat(256))).status).toBe(400);
    });

    it('and keeps it free if the update is rejected', async () => {
      const id = await raceDay.participant();
      const changedAt = new Date(Date.now() + 3_600_000).toISOString();
      expect((await update(id, { bibNumber: '54', changedAt }, 'scanner-3')).status).toBe(400);
      expect((await update(newId(), { bibNumber: '54' }, 'scanner-3')).status).toBe(404);
      expect((await update(id, { bibNumber: '54' }, 'scanner-3')).status).toBe(200);
    });
  });

  describe('rejects invalid input', () => {
    const bad: [what: string, body: unknown, says: string][] = [
      ['nothing to change', {}, 'bibNumber, customFields or both'],
      ['an unknown property', { bib: '1' }, 'bib is not a known property'],
      ['a blank bib', { bibNumber: '' }, 'bibNumber must be 1 to 20'],
      ['a bib with an invisible character', { bibNumber: '1\u200b2' }, 'bibNumber must be 1 to 20'],
      ['a bib with a line break', { bibNumber: '1\n2' }, 'bibNumber must be 1 to 20'],
      [
        'a bib of 10,000 characters',
        { bibNumber: '1'.repeat(10_000) },
        'bibNumber must not be longer than 20',
      ],
      ['a bib that is a number', { bibNumber: 12 }, 'bibNumber must be a string or null'],
      [
        'fields that are not an array',
        { customFields: { id: 'x', value: 1 } },
        'customFields must be an array',
      ],
      ['null for fields', { customFields: null }, 'customFields must be an array'],
      ['a field without id', { customFields: [{ value: 1 }] }, 'customFields[0].id'],
      ['a field without value', { customFields: [{ id: 'x' }] }, 'customFields[0].value'],
      ['a field that is a string', { customFields: ['x'] }, 'customFields'],
      ['text with NUL', { customFields: [{ id: 'x', value: 'a\0b' }] }, 'must not contain NUL'],
    ];
    it.each(bad)('%s', async (_what, body, says) => {
      const id = await raceDay.participant();
      const before = await raceDay.logged();
      const { status, body: answer } = await raceDay.update(id, body);
      expect(status).toBe(400);
      expect(answer.message).toContain(says);
      expect(await raceDay.logged()).toBe(before);
    });
  });

  describe('returns 404 for', () => {
    it('unknown participants, applications, and entries that are not approved', async () => {
      const { organizationId } = api;
      const { entries } = await booking(api.dataSource, {
        organizationId,
        entries: [{}, { approvalStatus: 'PENDING' }],
      });
      for (const id of [newId(), 'nobody', entries[0]?.id, entries[1]?.participantId]) {
        expect((await raceDay.update(String(id), { bibNumber: '1' })).status).toBe(404);
      }
    });
  });
});
