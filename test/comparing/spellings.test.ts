import { addOn, booking, referralProgram, referrer, reservedEntryGroup, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { type Browser, signedIn } from '../console/console';
import { sharedApi, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';
import { message, RaceDay, shipping } from '../race-day/race-day';

let api: TestApi;
let browser: Browser;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  ({ browser } = await signedIn(api, 'OWNER'));
  raceDay = await RaceDay.of(api);
});
afterAll(() => api.close());

/** What the spellings of a kind of text may differ in. */
const KINDS = {
  external: ['ends'],
  email: ['ends', 'form', 'case'],
  code: ['ends', 'form', 'case', 'width'],
  team: ['ends', 'form', 'case', 'width', 'runs'],
} as const;
type Kind = keyof typeof KINDS;
type Difference = (typeof KINDS)['team'][number] | 'other';

/** The same table for all: how each spelling differs. */
const SPELLINGS: [difference: Difference, spell: (text: string) => string][] = [
  ['ends', (text) => ` \t${text}\u00a0\u3000`],
  ['ends', (text) => `\u200b\u2060${text}\ufeff\u{e0041}\ufe0f`],
  ['form', (text) => text.normalize('NFD')],
  ['case', (text) => text.toUpperCase()],
  ['case', (text) => text.toLowerCase()],
  [
    'width',
    (text) => text.replace(/[A-Za-z0-9-]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  ],
  ['runs', (text) => text.replace(' ', '  ')],
  ['runs', (text) => text.replace(' ', '\u00a0 ')],
  ['other', (text) => text.replace('é', 'e')],
  ['other', (text) => text.replace('Z', 'Z\u200b')],
  ['other', (text) => text.replace('N', 'Ν')],
  ['other', (text) => text.replace(/\d/, '٣')],
  ['other', (text) => text.replace('ng', 'ŋ').replace('Ng', 'Ŋ')],
];

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const found = async (path: string): Promise<boolean> => {
  const { status, body } = await api.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body.data.length > 0;
};
const filtered =
  (path: string) =>
  (spelling: string): Promise<boolean> =>
    found(`${path}=${encodeURIComponent(spelling)}`);
/** Imports a row, and says of rows with other spellings whether they are already imported. */
async function imported(path: string, collection: string, rowOf: (text: string) => object, written: string) {
  const outcomeOf = async (text: string) =>
    (await importRows(api, path, { [collection]: [rowOf(text)] })).results[0]?.outcome;
  expect(await outcomeOf(written)).toBe('IMPORTED');
  return async (spelling: string) => (await outcomeOf(spelling)) === 'ALREADY_IMPORTED';
}

/** Stores a text, and says of other texts whether they are the same, in every way that compares them. */
type Probe = (written: string) => Promise<((spelling: string) => Promise<boolean>)[]>;

const bookedWith = async (given: object, participant: object = {}) => {
  const { row, participant: one } = await sale(api);
  const sent = row({ participants: [one(participant)], ...given });
  const { results } = await importRows(api, 'bookings/import', { bookings: [sent] });
  return { sent, ...results[0] } as { sent: any; bookingId: string; participantIds: string[] };
};

/** Of the columns whose texts are compared with texts that are sent. */
const COMPARED: Record<string, [Kind, Probe]> = {
  'bookings.external_booking_id': [
    'external',
    async (externalBookingId) => {
      const { sent } = await bookedWith({ externalBookingId });
      return [
        (text) => found(`/v0/bookings/external/${encodeURIComponent(text)}`),
        filtered('/v0/participants?externalBookingId'),
        async (text) => {
          const bookings = [{ ...sent, externalBookingId: text }];
          return (
            (await importRows(api, 'bookings/import?dryRun=true', { bookings })).results[0].outcome ===
            'ALREADY_IMPORTED'
          );
        },
      ];
    },
  ],
  'start_list_entries.external_participant_id': [
    'external',
    async (externalParticipantId) => {
      await bookedWith({}, { externalParticipantId });
      return [filtered('/v0/participants?externalParticipantId')];
    },
  ],
  'start_list_entries.external_assignment_id': [
    'external',
    async (written) => {
      const sold = await ticket(api.dataSource, mine({}));
      const group = await reservedEntryGroup(api.dataSource, mine({ ticketId: sold.id }));
      const row = (externalAssignmentId: string) => ({
        ...{ externalAssignmentId, reservedEntryGroupId: ` ${group.id}`, ticketSlug: `${sold.slug}\u200b` },
        participant: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      });
      return [await imported('reserved-entries/participants/import', 'assignments', row, written)];
    },
  ],
  'line_items.external_line_item_id': [
    'external',
    async (written) => {
      const { bookingId } = await bookedWith({});
      const row = (externalLineItemId: string) => ({
        ...{ externalLineItemId, bookingId, itemType: 'DONATION', name: 'Gift' },
        amount: { value: 100, currencyCode: 'GBP' },
      });
      return [await imported('bookings/line-items/import', 'lineItems', row, written)];
    },
  ],
  'add_on_allocations.external_allocation_id': [
    'external',
    async (written) => {
      const of = await booking(api.dataSource, mine({}));
      const { id: addOnId } = await addOn(api.dataSource, mine({ eventId: of.eventId }));
      const row = (externalAllocationId: string) => ({
        ...{ externalAllocationId, participantId: of.entries[0]?.participantId, addOnId, quantity: 1 },
        unitPrice: { value: 100, currencyCode: 'GBP' },
      });
      return [await imported('add-ons/import', 'addOns', row, written)];
    },
  ],
  'credits.external_credit_id': [
    'external',
    async (written) => {
      const row = (externalCreditId: string) => ({
        ...{ externalCreditId, email: 'ada@example.com', amount: { value: 100, currencyCode: 'GBP' } },
      });
      const known = await imported('credits/import', 'credits', row, written);
      return [filtered('/v0/credits?externalCreditId'), known];
    },
  ],
  'partner_external_ids.external_id': [
    'external',
    async (externalId) => {
      const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
      const create = (text: string) =>
        api.send('POST', '/v0/partners', { name: 'Harbour', contacts, externalIds: { ENTHUSE: text } });
      await create(` ${externalId}`);
      return [
        async (text) =>
          (await api.get(`/v0/partners/${encodeURIComponent(text)}?externalId=ENTHUSE`)).status === 200,
        async (text) =>
          (await api.send('PATCH', `/v0/partners/${encodeURIComponent(text)}?externalId=ENTHUSE`, {}))
            .status === 200,
      ];
    },
  ],
  'discount_codes.code': [
    'code',
    async (written) => {
      const row = (code: string) => ({
        code,
        discount: { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false },
      });
      const { row: booked } = await sale(api);
      const isKnown = await imported('discount-codes/import', 'discountCodes', row, written);
      const counts = async (discountCode: string) =>
        (await importRows(api, 'bookings/import', { bookings: [booked({ discountCode })] })).succeededRows ===
        1;
      // Codes that are not known are imported by the second question.
      return [counts, isKnown];
    },
  ],
  'referrers.generated_referral_code': [
    'code',
    async (generatedReferralCode) => {
      const { id: referralProgramId } = await referralProgram(api.dataSource, mine({}));
      await referrer(api.dataSource, mine({ referralProgramId, generatedReferralCode }));
      return [
        async (text) => {
          const { id: referredBookingId } = await booking(api.dataSource, mine({}));
          const row = { referralProgramId, generatedReferralCode: text, referredBookingId };
          return (await importRows(api, 'referrals/import', { referrals: [row] })).succeededRows === 1;
        },
      ];
    },
  ],
  'reserved_entry_groups.code': [
    'code',
    async (written) => [
      async (text) => {
        const slug = `run-${newId()}`;
        const group = (code: string) => ({ code, name: code, maxCapacity: 5, tickets: [] });
        const records = [
          { record: 'event', slug, title: 'Run' },
          {
            ...{ record: 'occurrence', event: slug, slug: `${slug}-2030`, title: 'Run 2030' },
            ...{ startDate: '2030-05-04', timeZone: 'Europe/London', races: [] },
            reservedEntryGroups: [written, text].map(group),
          },
        ];
        const { status, text: said } = await api.send('PUT', '/v0/catalogue', { records, dryRun: true });
        if (status !== 200 && !said.includes('repeats')) throw new Error(said);
        return status !== 200;
      },
    ],
  ],
  'teams.name': [
    'team',
    async (name) => {
      const { row, participant } = await sale(api);
      const teamOf = async (text: string) => {
        const bookings = [row({ participants: [participant({ team: { name: text } })] })];
        const { results } = await importRows(api, 'bookings/import', { bookings });
        return (await api.get(`/v0/participants/${results[0].participantIds[0]}`)).body.team;
      };
      const team = await teamOf(name);
      expect(team.name).toBe(name);
      return [async (text) => (await teamOf(text)).id === team.id];
    },
  ],
  'start_list_entries.bib_number': [
    'code',
    async (bibNumber) => {
      const [holder = '', other = ''] = await raceDay.participants(2);
      await raceDay.update(holder, { bibNumber });
      await raceDay.settled();
      expect(await raceDay.bibs([holder])).toEqual([bibNumber]);
      return [
        filtered('/v0/participants?bibNumber'),
        async (text) => {
          const sent = message({ bibNumber: text, shipping: shipping() });
          const { status, body } = await raceDay.send(sent);
          return status === 200 && body.unidentified.length === 0;
        },
        // Gives the bib to the other, if it is another.
        async (text) =>
          (await browser.ask('PATCH', `/console/v1/participants/${other}/race-day`, { bibNumber: text })).body
            .problems?.[0].code === 'BIB_NUMBER_TAKEN',
      ];
    },
  ],
  'start_list_entries.tags': [
    'external',
    async (tag) => {
      await bookedWith({}, { tags: [` ${tag}`] });
      return [filtered('/v0/participants?features=tags&tag')];
    },
  ],
  'race_day_fields.field_id': [
    'external',
    async (id) => {
      const participant = await raceDay.participant();
      const fieldsAfter = async (field: string) => {
        await raceDay.update(participant, { customFields: [{ id: field, value: newId() }] });
        await raceDay.settled();
        return (await raceDay.shown(participant)).customFields.length;
      };
      let fields = await fieldsAfter(id);
      return [
        async (text) => {
          const before = fields;
          fields = await fieldsAfter(text);
          return fields === before;
        },
      ];
    },
  ],
  'start_list_entries.email_normalized': [
    'email',
    async (email) => {
      const { sent } = await bookedWith({}, { email });
      return [
        filtered('/v0/participants?email'),
        async (text) => {
          const path = `/v0/event-occurrences/${sent.eventOccurrenceId}/registration-status`;
          return (await api.send('POST', path, { email: text })).body.registered;
        },
      ];
    },
  ],
  'credits.email_normalized': [
    'email',
    async (email) => {
      const amount = { value: 100, currencyCode: 'GBP' };
      await importRows(api, 'credits/import', { credits: [{ externalCreditId: newId(), email, amount }] });
      return [filtered('/v0/credits?email')];
    },
  ],
  'staff_members.email_normalized': [
    'email',
    async (written) => {
      const invite = (email: string) => browser.ask('POST', '/console/v1/staff', { email, role: 'MANAGER' });
      await invite(written);
      return [async (email) => (await invite(email)).status !== 200];
    },
  ],
};

it.each(Object.entries(COMPARED))('compares %s', async (_column, [kind, probe]) => {
  const serial = Math.random().toString().slice(2, 8);
  const written = kind === 'email' ? `Zoé-Ng${serial}@Example.com` : `Zoé-Ng ${serial}`;
  const differences: readonly Difference[] = KINDS[kind];
  const expected = SPELLINGS.map(([difference, spell]) => ({
    spelling: spell(written),
    isSame: differences.includes(difference),
  })).filter(({ spelling, isSame }) => isSame || spelling !== written);
  for (const ask of await probe(written)) {
    const answers: typeof expected = [];
    for (const { spelling } of expected) answers.push({ spelling, isSame: await ask(spelling) });
    expect(answers).toEqual(expected);
  }
});

/** Other columns with such a name, or in a unique index. */
const NOT_COMPARED: Record<string, string[]> = {
  'what is compared, or shown, of a text that is listed': [
    ...[
      'bib_claims.bib_number',
      'race_day_log.bib_number',
      'race_day_log.bib_written',
      'race_day_tasks.bib_number',
    ],
    ...[
      'start_list_entries.bib_claim',
      'start_list_entries.bib_order',
      'start_list_entries.bib_written',
      'credits.email',
      'person_jobs.email',
      'staff_members.email',
    ],
    ...['bookings.booker_email', 'import_rows.external_id'],
  ],
  'one of the words of the interface': [
    ...['add_on_allocations', 'add_ons', 'bookings', 'credits', 'line_items', 'tickets'].map(
      (of) => `${of}.currency_code`,
    ),
    ...[
      'file_mappings.surface',
      'organization_surfaces.surface',
      'partner_external_ids.type',
      'pending_refreshes.source',
    ],
    ...['idempotency_keys.operation', 'import_rows.error_code', 'rate_windows.endpoint'],
  ],
  'only shown, or of the catalogue of the organizer': [
    ...['api_keys.name', 'import_jobs.name', 'line_items.name', 'organizations.name', 'partners.name'],
    ...['reserved_entry_groups.name', 'file_mappings.name', 'booking_form_fields.key'],
    ...[
      'event_occurrences.slug',
      'event_occurrences.tags',
      'events.slug',
      'organizations.slug',
      'tickets.slug',
    ],
  ],
  'a key of a request, which the client repeats exactly': ['idempotency_keys.key'],
};

it('lists every column that is compared', async () => {
  const columns: { name: string }[] = await api.dataSource.query(`
    SELECT DISTINCT c.relname || '.' || a.attname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.atttypid IN ('text'::regtype, 'text[]'::regtype)
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique AND a.attnum = ANY (i.indkey)
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND (i.indexrelid IS NOT NULL OR a.attname ~ '(^external_|code$|email|^bib_|slug$|^name$|^tags$)')`);
  const listed = [...Object.keys(COMPARED), ...Object.values(NOT_COMPARED).flat()];
  expect(columns.map(({ name }) => name).sort()).toEqual(listed.sort());
});
