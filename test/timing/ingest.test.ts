import { key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { DOCUMENT, type Schema } from '../contract/document';
import { sharedApi, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from '../race-day/race-day';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  raceDay = await RaceDay.of(api);
});
afterAll(async () => {
  await api?.close();
});

const schemaOf = (name: string): Schema => DOCUMENT.components.schemas[name];

const show = async (participantId: string) => {
  await raceDay.settled();
  return raceDay.shown(participantId);
};

describe('POST /timing-inbound/v1', () => {
  describe('returns', () => {
    it('the number of messages received, for one message and for 500', async () => {
      const participantId = await raceDay.participant();
      const one = message({ participantId, bibNumber: '7' });
      const received = (howMany: number) => ({
        success: true,
        received: howMany,
        unidentified: [],
        conflicts: [],
        statusUrl: '/timing-inbound/v1/status',
      });
      expect((await raceDay.send(one)).body).toEqual(received(1));
      const many = Array.from({ length: 500 }, (_, minute) =>
        message(
          { participantId, shipping: shipping() },
          `2026-05-04T09:30:00.${String(minute).padStart(6, '0')}Z`,
        ),
      );
      expect((await raceDay.send(many)).body).toEqual(received(500));
      expect(await show(participantId)).toMatchObject({ bibNumber: '7', shipping: { status: 'SHIPPED' } });
    });

    it('the messages that identify no participant', async () => {
      const participantId = await raceDay.participant();
      const { body } = await raceDay.send([
        message({ participantId, bibNumber: 'KNOWN-1' }),
        message({ participantId: newId(), bibNumber: '1' }),
        message({ bibNumber: 'KNOWN-1', shipping: shipping() }, at(10)),
        message({ bibNumber: 'KNOWN-1', shipping: shipping() }, at(9)),
        message({ bibNumber: 'UNKNOWN', shipping: shipping() }),
      ]);
      expect(body).toMatchObject({ success: true, received: 5, unidentified: [1, 4], conflicts: [] });
    });

    it('that a message with only shipping identifies no participant and is not stored', async () => {
      const participantId = await raceDay.participant();
      const before = await raceDay.logged();
      const { status, body } = await raceDay.send([
        message({ shipping: shipping() }),
        message({ participantId, shipping: shipping() }),
        message({ bibNumber: null, shipping: shipping() }),
      ]);
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, received: 3, unidentified: [0, 2], conflicts: [] });
      expect(await raceDay.logged()).toBe(before + 1);
      expect(await show(participantId)).toMatchObject({ shipping: { status: 'SHIPPED' } });
    });

    it('the messages that are rejected or superseded', async () => {
      const booked = await raceDay.booking(3);
      const [p = '', q = '', r = ''] = booked.entries.map(({ participantId }) => participantId);
      await raceDay.accepted([
        message({ participantId: p, bibNumber: 'C-1', shipping: shipping() }, at(10)),
        message({ participantId: q, bibNumber: 'C-2' }, at(10)),
      ]);
      await raceDay.settled();
      await api.dataSource.query(
        'UPDATE start_list_entries SET cancelled_at = now() WHERE participant_id = $1',
        [r],
      );
      const { conflicts } = await raceDay.accepted([
        message({ participantId: q, bibNumber: 'C-1' }, at(11)),
        message({ participantId: q, bibNumber: 'C-1' }, at(9)),
        message({ participantId: p, shipping: shipping() }, at(12)),
        message({ participantId: r, bibNumber: 'C-4', shipping: shipping() }, at(12)),
        message({ bibNumber: 'C-1', shipping: shipping() }, at(9)),
        message({ participantId: p, bibNumber: 'C-5', shipping: shipping() }, at(8)),
      ]);
      expect(conflicts).toEqual([
        { index: 0, code: 'BIB_NUMBER_TAKEN' },
        { index: 1, code: 'BIB_OVERTAKEN' },
        { index: 3, code: 'PARTICIPANT_CANCELLED' },
        { index: 4, code: 'SHIPPING_OVERTAKEN' },
        { index: 5, code: 'BIB_OVERTAKEN' },
        { index: 5, code: 'SHIPPING_OVERTAKEN' },
      ]);
    });

    it('no conflict of bibs that participants exchange in one batch, in any order', async () => {
      const booked = await raceDay.booking(3);
      const people = booked.entries.map(({ participantId }) => participantId);
      const [p = '', q = '', r = ''] = people;
      const bibs = async () => Promise.all(people.map(async (id) => (await show(id)).bibNumber));
      const claim = (participantId: string, bibNumber: string | null, hour: number) =>
        message({ participantId, bibNumber }, at(hour));
      await raceDay.accepted([claim(p, 'X-1', 8), claim(q, 'X-2', 8), claim(r, 'X-3', 8)]);
      expect(await bibs()).toEqual(['X-1', 'X-2', 'X-3']);
      expect(await raceDay.accepted([claim(p, 'X-2', 9), claim(q, 'X-1', 9)])).toMatchObject({
        conflicts: [],
      });
      expect(await bibs()).toEqual(['X-2', 'X-1', 'X-3']);
      // By way of no bib, and in a circle, with what is older last.
      const circle = [claim(r, 'X-1', 12), claim(p, 'X-3', 12), claim(q, 'X-2', 11), claim(p, null, 10)];
      expect(await raceDay.accepted(circle)).toMatchObject({ conflicts: [] });
      expect(await bibs()).toEqual(['X-3', 'X-2', 'X-1']);
    });

    it('the conflicts that are left after the whole batch', async () => {
      const booked = await raceDay.booking(3);
      const [p = '', q = '', r = ''] = booked.entries.map(({ participantId }) => participantId);
      const claim = (participantId: string, bibNumber: string, hour: number) =>
        message({ participantId, bibNumber }, at(hour));
      await raceDay.accepted([claim(p, 'Y-1', 8), claim(q, 'Y-2', 8)]);
      await raceDay.settled();
      // P gives Y-1 up, Q and R want it: Q claims it first. R's claim of Y-2 is replaced.
      const { conflicts } = await raceDay.accepted([
        claim(r, 'Y-2', 9),
        claim(r, 'Y-1', 11),
        claim(q, 'Y-1', 10),
        claim(p, 'Y-3', 12),
      ]);
      expect(conflicts).toEqual([{ index: 1, code: 'BIB_NUMBER_TAKEN' }]);
      expect(await show(q)).toMatchObject({ bibNumber: 'Y-1', errors: [] });
      expect(await show(r)).toMatchObject({ bibNumber: null, errors: ['BIB_NUMBER_TAKEN'] });
      // A request that is not processed yet counts, too.
      await raceDay.accepted(claim(p, 'Y-4', 13));
      expect(await raceDay.accepted(claim(q, 'Y-3', 14))).toMatchObject({ conflicts: [] });
    });

    it('success for additions to schema 1.0', async () => {
      const participantId = await raceDay.participant();
      const given = message({ participantId, bibNumber: '8', split: [1, 2] }, at(9), {
        sentBy: { name: 'x' },
      });
      expect((await raceDay.send(given)).status).toBe(200);
      const parcel = message({ participantId, shipping: shipping({ weight: 3 }) });
      expect((await raceDay.send(parcel)).status).toBe(200);
    });

    it.each([
      ['a number that is not exact', '"epc": 12345678901234567890'],
      ['a long fraction', '"signal": -61.123456789012345678901234567890123456789012345'],
      ['a huge exponent', '"big": 1e999'],
      ['an array', '"reads": [1, 2, [{}]]'],
      ['a property twice', '"lap": 1, "lap": { "lap": 2 }'],
      ['text that PostgreSQL cannot store', '"\\u0000": "\\ud800"'],
      ['more values than other bodies may have', `"laps": [${'1,'.repeat(60_000)}1]`],
      [
        'more properties than other bodies may have',
        Array.from({ length: 3_000 }, (_, n) => `"p${n}": ${n}`).join(),
      ],
      ['a text longer than in other bodies', `"log": "${'x'.repeat(300_000)}"`],
    ])('success for additions with %s, in each of its objects', async (_what, added) => {
      const participantId = await raceDay.participant();
      const text = `{ ${added}, "schemaVersion": "1.0", "data": { "participantId": "${participantId}", ${added},
        "bibNumber": "A-1", "shipping": { ${added}, "shippedAt": "${at(8)}", "carrier": "Post" } },
        "changedAt": "${at(9)}", ${added} }`;
      for (const body of [text, `[${text},${text}]`]) {
        expect(await raceDay.send(body)).toMatchObject({ status: 200, body: { unidentified: [] } });
      }
      expect(await show(participantId)).toMatchObject({ bibNumber: 'A-1', shipping: { carrier: 'Post' } });
    });

    it('success for 500 messages with every property at its published maximum, with every character escaped', async () => {
      const participantId = await raceDay.participant();
      /** A character outside of the Basic Multilingual Plane needs 12 bytes. */
      const runner = '\\ud83c\\udfc3';
      const { properties: data } = schemaOf('TimingData');
      const { properties: parcel } = schemaOf('TimingShipping');
      const longest = ({ maxLength }: Schema) => `"${runner.repeat(maxLength)}"`;
      const url = `"https://x/${'\\u0078'.repeat(parcel.trackingUrl.maxLength - 10)}"`;
      const time = '"2026-05-04T09:30:00.123456789+00:00"';
      const sent = `{"schemaVersion":"1.0","data":{"participantId":"${participantId}","bibNumber":${longest(data.bibNumber)},
        "shipping":{"shippedAt":${time},"status":"DELIVERED","carrier":${longest(parcel.carrier)},
        "trackingNumber":${longest(parcel.trackingNumber)},"trackingUrl":${url}}},
        "changedAt":${time}}`;
      expect(Object.keys({ ...data, ...parcel })).toHaveLength(8);
      expect(await raceDay.send(`[${Array(500).fill(sent).join()}]`)).toMatchObject({ status: 200 });
      expect(await show(participantId)).toMatchObject({
        bibNumber: '🏃'.repeat(20),
        shipping: { status: 'DELIVERED' },
      });
    });
  });

  describe('applies', () => {
    it('bib and shipping by changedAt, independently', async () => {
      const participantId = await raceDay.participant();
      await raceDay.accepted(message({ participantId, bibNumber: '100' }, at(12)));
      await raceDay.accepted(
        message({ participantId, shipping: shipping({ carrier: 'Post', trackingNumber: 'A1' }) }, at(9)),
      );
      await raceDay.accepted(message({ participantId, bibNumber: '99' }, at(11)));
      expect(await show(participantId)).toMatchObject({
        bibNumber: '100',
        shipping: { status: 'SHIPPED', carrier: 'Post', trackingNumber: 'A1', trackingUrl: null },
      });
    });

    it('each shipping field separately: absent fields do not change, and values cannot be removed', async () => {
      const participantId = await raceDay.participant();
      const parcel = (given: object, hour: number) =>
        message({ participantId, shipping: shipping(given) }, at(hour));
      await raceDay.accepted([
        parcel({ status: 'DELIVERED' }, 12),
        parcel({ carrier: 'Late', trackingUrl: 'https://track.example/1' }, 10),
        parcel({ carrier: 'Later', trackingNumber: null }, 11),
      ]);
      expect((await show(participantId)).shipping).toEqual({
        status: 'DELIVERED',
        shippedAt: '2026-05-04T08:00:00.000000Z',
        carrier: 'Later',
        trackingNumber: null,
        trackingUrl: 'https://track.example/1',
      });
      await raceDay.accepted(message({ participantId, shipping: { shippedAt: at(13) } }, at(13)));
      expect((await show(participantId)).shipping).toMatchObject({
        status: 'SHIPPED',
        shippedAt: '2026-05-04T13:00:00.000000Z',
        carrier: 'Later',
      });
    });

    it('any shipping status after any other', async () => {
      const states = ['SHIPPED', 'DELIVERED', 'RETURNED'];
      const participantId = await raceDay.participant();
      let hour = 0;
      for (const from of states) {
        for (const to of states) {
          await raceDay.accepted(
            message({ participantId, shipping: shipping({ status: from }) }, at(++hour)),
          );
          await raceDay.accepted(message({ participantId, shipping: shipping({ status: to }) }, at(++hour)));
          expect((await show(participantId)).shipping.status).toBe(to);
        }
      }
    });

    it('the message received later, of two with the same changedAt', async () => {
      const participantId = await raceDay.participant();
      await raceDay.accepted([
        message({ participantId, bibNumber: 'FIRST' }),
        message({ participantId, bibNumber: 'SECOND' }),
      ]);
      expect(await show(participantId)).toMatchObject({ bibNumber: 'SECOND' });
      await raceDay.accepted(message({ participantId, bibNumber: 'THIRD' }));
      expect(await show(participantId)).toMatchObject({ bibNumber: 'THIRD' });
    });

    it('the same message again without any change', async () => {
      const participantId = await raceDay.participant();
      const sent = message({ participantId, bibNumber: '500', shipping: shipping({ carrier: 'Post' }) });
      await raceDay.accepted(sent);
      const before = await show(participantId);
      await raceDay.accepted([sent, sent]);
      expect(await show(participantId)).toEqual(before);
    });

    it.each(['#12', 'M&M', '12 A', '🏃', '+', 'É-1/2', 'x'.repeat(20)])('the bib %s', async (bibNumber) => {
      const participantId = await raceDay.participant();
      await raceDay.accepted(message({ participantId, bibNumber }));
      expect(await show(participantId)).toMatchObject({ bibNumber, errors: [] });
    });

    it('a bib removed with null', async () => {
      const participantId = await raceDay.participant();
      await raceDay.accepted(message({ participantId, bibNumber: '501' }, at(9)));
      await raceDay.accepted(message({ participantId, bibNumber: null }, at(10)));
      expect(await show(participantId)).toMatchObject({ bibNumber: null, errors: [] });
    });
  });

  describe('rejects invalid input, and stores none of it', () => {
    const participantId = newId();
    const good = message({ participantId, bibNumber: '1' });
    const bad: [what: string, body: unknown, says: string][] = [
      ['no recognised field', message({ participantId }), 'data must have bibNumber or shipping'],
      [
        'a removed bib without a participant',
        message({ bibNumber: null }),
        'data must have bibNumber or shipping',
      ],
      ['no data', { ...good, data: undefined }, 'data is missing'],
      ['another version', { ...good, schemaVersion: '2.0' }, 'schemaVersion must be "1.0"'],
      ['no version', { ...good, schemaVersion: undefined }, 'schemaVersion is missing'],
      ['a malformed id', message({ participantId: 'me', bibNumber: '1' }), 'data.participantId must be'],
      [
        'an unknown status',
        message({ participantId, shipping: shipping({ status: 'LOST' }) }),
        'data.shipping.status must be one of SHIPPED, DELIVERED, RETURNED',
      ],
      ['no shippedAt', message({ participantId, shipping: {} }), 'data.shipping.shippedAt is missing'],
      [
        'an invalid shippedAt',
        message({ participantId, shipping: { shippedAt: 'soon' } }),
        'data.shipping.shippedAt must be',
      ],
      [
        'an invalid tracking link',
        message({ participantId, shipping: shipping({ trackingUrl: 'javascript:alert(1)' }) }),
        'data.shipping.trackingUrl must be',
      ],
      [
        'a carrier with NUL',
        message({ participantId, shipping: shipping({ carrier: 'a\0b' }) }),
        'data.shipping.carrier must not',
      ],
      ['no changedAt', { ...good, changedAt: undefined }, 'changedAt is missing'],
      ['the year 10000', { ...good, changedAt: '10000-01-01T00:00:00Z' }, 'changedAt must be'],
      ['before 1970', { ...good, changedAt: '1969-12-31T23:59:59Z' }, 'changedAt must not be before 1970'],
      [
        'more than 24 hours ahead',
        { ...good, changedAt: new Date(Date.now() + 24.5 * 3_600_000).toISOString() },
        'changedAt must not be more than 24 hours ahead',
      ],
      [
        'a bib of 10,000 characters',
        message({ participantId, bibNumber: '1'.repeat(10_000) }),
        'data.bibNumber must',
      ],
      ['a blank bib', message({ participantId, bibNumber: ' ' }), 'data.bibNumber must'],
      ['a bib with a tab', message({ participantId, bibNumber: '1\t2' }), 'data.bibNumber must'],
      [
        'a bib with an invisible character',
        message({ participantId, bibNumber: '1\u200b2' }),
        'data.bibNumber must',
      ],
      [
        'a bib twice',
        `{"schemaVersion":"1.0","changedAt":"${at(9)}","data":{"participantId":"${participantId}","bibNumber":"1","bibNumber":"2"}}`,
        'data.bibNumber is a duplicate property',
      ],
      ['nested additions', `{"x":${'['.repeat(100)}${']'.repeat(100)}}`, 'must not be nested deeper'],
      ['a bib that is a number', message({ participantId, bibNumber: 12 }), 'data.bibNumber must'],
      ['an empty array', [], 'an array of 1 to 500'],
      ['501 messages', Array(501).fill(good), 'an array of 1 to 500'],
      ['a string', '"hello"', 'must be a JSON object'],
      ['null', 'null', 'must be a JSON object'],
      ['invalid JSON', '{', 'must be JSON'],
      ['an array in an array', [[good]], '[0] must be an object'],
    ];
    it.each(bad)('%s', async (_what, body, says) => {
      const before = await raceDay.logged();
      const { status, body: answer } = await raceDay.send(body);
      expect(status).toBe(400);
      expect(answer.message).toContain(says);
      expect(await raceDay.logged()).toBe(before);
    });

    it('one of 500 messages, by its index', async () => {
      const before = await raceDay.logged();
      const messages: unknown[] = Array(500).fill(good);
      messages[317] = message({ participantId, shipping: shipping({ status: 'EATEN' }) });
      const { status, body } = await raceDay.send(messages);
      expect(status).toBe(400);
      expect(body.message).toMatch(/^\[317\]\.data\.shipping\.status must be one of/);
      expect(await raceDay.logged()).toBe(before);
    });
  });

  describe('returns 401 before it reads the body, for', () => {
    const kinds: [string, object][] = [
      ['an organizer', { kind: 'ORGANIZER' }],
      ['a marketplace', { kind: 'MARKETPLACE' }],
      ['a scoped key', { kind: 'ORGANIZER', endpoints: ['registrationStatus'] }],
      ['a scoped key that lists it', { kind: 'ORGANIZER', endpoints: ['ingestTiming'] }],
      ['a revoked key', { kind: 'TIMING', revokedAt: new Date() }],
    ];
    it.each(kinds)('%s', async (_who, given) => {
      const { token } = await key(api.dataSource, { organizationId: api.organizationId, ...given });
      expect((await raceDay.send('{', token)).status).toBe(401);
    });

    it('a missing key', async () => {
      const { status } = await api.send('POST', '/timing-inbound/v1', '{', null);
      expect(status).toBe(401);
    });
  });

  describe('other organizations', () => {
    it('can neither see nor change the rows', async () => {
      const participantId = await raceDay.participant();
      await raceDay.accepted(message({ participantId, bibNumber: 'OURS' }, at(9)));
      const { id: organizationId } = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId, kind: 'TIMING' });
      const { body } = await raceDay.send(
        [
          message({ participantId, bibNumber: 'THEIRS' }, at(10)),
          message({ bibNumber: 'OURS', shipping: shipping() }, at(11)),
        ],
        token,
      );
      expect(body.unidentified).toEqual([0, 1]);
      expect(await show(participantId)).toMatchObject({ bibNumber: 'OURS', shipping: null });
    });
  });

  describe('the occurrences of a key', () => {
    it('limit participants and bibs alike', async () => {
      const inside = await raceDay.booking(1);
      const outside = await raceDay.booking(1);
      const [p = '', q = ''] = [inside, outside].flatMap(({ entries }) =>
        entries.map((e) => e.participantId),
      );
      await raceDay.accepted([
        message({ participantId: p, bibNumber: 'SAME' }, at(9)),
        message({ participantId: q, bibNumber: 'SAME' }, at(9)),
      ]);
      const limited = await RaceDay.of(api, { eventOccurrenceIds: [inside.eventOccurrenceId] });
      const sent = [
        message({ participantId: q, bibNumber: 'MOVED' }, at(10)),
        message({ bibNumber: 'SAME', shipping: shipping() }, at(11)),
      ];
      expect((await limited.accepted(sent)).unidentified).toEqual([0]);
      expect((await raceDay.accepted(sent[1])).unidentified).toEqual([0]);
      expect(await show(p)).toMatchObject({ bibNumber: 'SAME', shipping: { status: 'SHIPPED' } });
      expect(await show(q)).toMatchObject({ bibNumber: 'SAME', shipping: null });
    });

    it('find a bib also if one is named twice', async () => {
      const { entries, eventOccurrenceId } = await raceDay.booking(1);
      const participantId = entries[0]?.participantId as string;
      await raceDay.accepted(message({ participantId, bibNumber: 'TWICE' }, at(9)));
      await raceDay.settled();
      const twice = await RaceDay.of(api, { eventOccurrenceIds: [eventOccurrenceId, eventOccurrenceId] });
      const parcel = message({ bibNumber: 'TWICE', shipping: shipping() }, at(10));
      expect((await twice.accepted(parcel)).unidentified).toEqual([]);
      expect(await show(participantId)).toMatchObject({ shipping: { status: 'SHIPPED' } });
    });
  });
});

it('of messages with the same time, the one that was received later applies, for each field', async () => {
  const participantId = await raceDay.participant();
  const sent = (given: object) => message({ participantId, shipping: shipping(given) }, at(9));
  await raceDay.accepted(sent({ status: 'SHIPPED', carrier: 'Post' }));
  await raceDay.accepted(sent({ status: 'DELIVERED' }));
  expect(await show(participantId)).toMatchObject({ shipping: { status: 'DELIVERED', carrier: 'Post' } });
});
