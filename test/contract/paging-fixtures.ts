import type { DataSource } from 'typeorm';
import {
  addOn,
  addOnAllocation,
  booking,
  copiesOf,
  credit,
  insert,
  key,
  lineItem,
  partner,
  race,
  referral,
  referralProgram,
  referrer,
  reservedEntryGroup,
  ticket,
  UNIDENTIFIED_MESSAGE,
} from '#libs/testing';
import {
  BookingForm,
  BookingFormEntry,
  BookingFormField,
  newId,
  TicketBookingForm,
} from '#platform/database';

/** The requirements of a list for paging: the ids of its path, and how items are added and changed. */
export interface Walkable {
  path: Record<string, string>;
  /** Required parameters. */
  query?: Record<string, string>;
  token?: string;
  /** Adds an item, often with the same sort key as others. */
  add(): Promise<void>;
  /** Changes any of its items without removing it from the list. */
  change(): Promise<void>;
}

const any = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;
/** Three adjacent microseconds, so that most items share theirs with others. */
const anyMicrosecond = () => `2026-01-01T00:00:00.00000${any([1, 2, 3])}Z`;
const anyPosition = () => any([1, 2, 3]);

/** One organization with data in every list of the API, by the name of the list. */
export async function pagingFixtures(
  dataSource: DataSource,
  organizationId: string,
): Promise<Record<string, Walkable>> {
  const owned = { organizationId };
  const run = (sql: string, values: unknown[] = []) => dataSource.query(sql, [organizationId, ...values]);

  /** A copy of a row with another id; `columns` are the other differences. */
  const copy = async (table: string, of: string, columns: Record<string, unknown> = {}): Promise<string> => {
    const id = newId();
    await run(
      `INSERT INTO ${table} ${copiesOf(
        't',
        '$3::jsonb',
        `FROM ${table} t
          WHERE t.organization_id = $1 AND t.id = $2`,
      )}`,
      [of, JSON.stringify({ id, ...columns })],
    );
    return id;
  };
  const change =
    (table: string, set = 'updated_at = clock_timestamp()') =>
    () =>
      run(`UPDATE ${table} SET ${set} WHERE organization_id = $1 AND ctid =
        (SELECT ctid FROM ${table} WHERE organization_id = $1 ORDER BY random() LIMIT 1)`);

  const raceOf = await race(dataSource, owned);
  const occurrenceId = raceOf.eventOccurrenceId;
  const { id: ticketId } = await ticket(dataSource, { ...owned, raceId: raceOf.id });
  const otherEvent = await race(dataSource, owned);
  const made = await booking(dataSource, { ...owned, ticketId, status: 'CANCELLED' });
  const entry = made.entries[0] as { id: string };
  const group = await reservedEntryGroup(dataSource, { ...owned, ticketId });
  const charity = await partner(dataSource, owned);
  const item = await lineItem(dataSource, { ...owned, bookingId: made.id, externalLineItemId: null });
  const allocation = await addOnAllocation(dataSource, { ...owned, of: made, externalAllocationId: null });
  const sold = await addOn(dataSource, { ...owned, eventId: raceOf.eventId });
  const program = await referralProgram(dataSource, owned);
  const owner = await referrer(dataSource, { ...owned, referralProgramId: program.id });
  const referred = await referral(dataSource, { ...owned, referrerId: owner.id, of: made });
  const owed = await credit(dataSource, owned);
  const form = await insert(dataSource, BookingForm, { ...owned, title: 'Form' });
  const field = await insert(dataSource, BookingFormField, {
    ...owned,
    key: 'club',
    label: 'Club',
    type: 'TEXT',
  });
  const ask = (bookingFormId: string, fieldId: string, position: number) =>
    dataSource.getRepository(BookingFormEntry).insert({ ...owned, bookingFormId, fieldId, position });
  const use = (usedBy: string, bookingFormId: string) =>
    dataSource.getRepository(TicketBookingForm).insert({ ...owned, ticketId: usedBy, bookingFormId });
  await ask(form.id, field.id, 1);
  await use(ticketId, form.id);

  const marketplace = (await key(dataSource, { ...owned, kind: 'MARKETPLACE' })).token;
  const timing = (await key(dataSource, { ...owned, kind: 'TIMING' })).token;

  const addTicket = async () => {
    const slug = newId();
    await use(await copy('tickets', ticketId, { slug, position: anyPosition() }), form.id);
  };
  const addForm = async () => {
    const copied = await copy('booking_forms', form.id, { created_at: anyMicrosecond() });
    await ask(copied, field.id, 1);
    await use(ticketId, copied);
  };
  const addField = async () => {
    const columns = { key: `field-${newId()}`, created_at: anyMicrosecond() };
    await ask(form.id, await copy('booking_form_fields', field.id, columns), anyPosition());
  };
  const addBooking = () => copy('bookings', made.id, { created_at: anyMicrosecond() });
  const addEntry = async () => {
    const columns = { participant_id: newId(), created_at: anyMicrosecond() };
    return copy('start_list_entries', entry.id, columns);
  };
  const addOccurrence = async () => {
    const columns = {
      slug: newId(),
      start_date: any(['2030-06-01', '2030-06-02']),
      event_id: otherEvent.eventId,
    };
    await copy('event_occurrences', occurrenceId, columns);
  };
  const addRemoved = async () => {
    const columns = {
      slug: newId(),
      published: false,
      removed_start_date: any(['2030-06-01', '2030-06-02']),
    };
    await copy('event_occurrences', occurrenceId, columns);
  };
  const changeEntry = async () => {
    const set = any([
      "cancelled_at = clock_timestamp(), status_details = '[]'",
      "tags = ARRAY['changed']",
      'team_roles = team_roles',
    ]);
    await change('start_list_entries', `${set}, updated_at = clock_timestamp()`)();
  };

  const simple = (table: string, of: string, path: Record<string, string> = {}): Walkable => ({
    path,
    add: async () => void (await copy(table, of, { created_at: anyMicrosecond() })),
    change: change(table),
  });
  const occurrences = (token?: string, query?: Record<string, string>): Walkable => ({
    path: {},
    query,
    token,
    add: addOccurrence,
    change: change('event_occurrences', "tags = ARRAY['changed']"),
  });
  const tickets = (id: string): Walkable => ({ path: { id }, add: addTicket, change: change('tickets') });
  const forms = (id: string): Walkable => ({ path: { id }, add: addForm, change: change('booking_forms') });
  const fields = (path: Record<string, string>): Walkable => ({
    path,
    add: addField,
    change: change('booking_form_fields'),
  });
  const entries = (path: Record<string, string> = {}): Walkable => ({
    path,
    add: async () => void (await addEntry()),
    change: changeEntry,
  });

  const addJob = async (surface: string, mode = 'CREATE'): Promise<string> => {
    const id = newId();
    await run(
      `INSERT INTO import_jobs (organization_id, id, created_at, surface, mode, status, total_rows)
       VALUES ($1, $2, $3, $4, $5, 'COMPLETED', 0)`,
      [id, anyMicrosecond(), surface, mode],
    );
    return id;
  };
  const importRows = async (surface: string, mode?: string): Promise<Walkable> => {
    const jobId = await addJob(surface, mode);
    return {
      path: { jobId },
      add: () =>
        run(
          `INSERT INTO import_rows (organization_id, job_id, row_number, payload, outcome, result)
           SELECT $1, $2, count(*), '{}', 'IMPORTED', '{}' FROM import_rows WHERE organization_id = $1 AND job_id = $2`,
          [jobId],
        ),
      change: change('import_rows', "external_id = 'changed'"),
    };
  };
  return {
    importRows: await importRows('bookingsImport'),
    marketplaceEvents: occurrences(marketplace),
    removedEvents: { ...occurrences(marketplace), add: addRemoved },
    foundEvents: occurrences(marketplace, { query: 'occurrence' }),
    eventOccurrences: occurrences(),
    racesOfOccurrence: {
      path: { id: occurrenceId },
      add: async () => void (await copy('races', raceOf.id, { position: anyPosition() })),
      change: change('races'),
    },
    ticketsOfOccurrence: tickets(occurrenceId),
    ticketsOfEvent: tickets(raceOf.eventId),
    ticketsOfRace: tickets(raceOf.id),
    ticketsWithForm: tickets(form.id),
    reservedEntriesOfOccurrence: simple('reserved_entry_groups', group.id, { id: occurrenceId }),
    reservedEntriesOfEvent: simple('reserved_entry_groups', group.id, { id: raceOf.eventId }),
    formsOfTicket: forms(ticketId),
    formsWithField: forms(field.id),
    bookingFormFields: fields({}),
    fieldsOfForm: fields({ id: form.id }),
    bookingsByExternalId: {
      path: { externalBookingId: made.externalBookingId as string },
      add: async () => void (await addBooking()),
      change: change('bookings'),
    },
    bookings: { path: {}, add: async () => void (await addBooking()), change: change('bookings') },
    lineItems: simple('line_items', item.id),
    lineItemsOfBooking: simple('line_items', item.id, { id: made.id }),
    addOnAllocationsOfBooking: simple('add_on_allocations', allocation.id, { id: made.id }),
    changeEvents: {
      path: {},
      add: () =>
        run(
          `INSERT INTO change_events (organization_id, id, occurred_at, type, subject_id, data)
           VALUES ($1, uuid_v7(), $2, 'partner.updated', $3, '{}')`,
          [anyMicrosecond(), charity.id],
        ),
      change: change('change_events', `data = '{"changed": []}'`),
    },
    webhookEndpoints: {
      path: {},
      add: () =>
        run(
          `INSERT INTO webhook_endpoints (organization_id, id, created_at, url, types, secret)
           VALUES ($1, uuid_v7(), $2, 'https://example.com/', '{partner.created}', '')`,
          [anyMicrosecond()],
        ),
      change: change('webhook_endpoints', "description = 'changed'"),
    },
    webhookDeliveries: {
      path: {},
      add: () =>
        run(
          `INSERT INTO webhook_deliveries (organization_id, id, created_at, endpoint_id, event_id, type)
           VALUES ($1, uuid_v7(), $2, uuid_v7(), uuid_v7(), 'partner.created')`,
          [anyMicrosecond()],
        ),
      change: change('webhook_deliveries', "state = 'FAILED'"),
    },
    applications: entries(),
    applicationsOfEvent: entries({ id: raceOf.eventId }),
    participants: entries(),
    timingParticipants: { ...entries(), token: timing },
    unidentifiedMessages: {
      path: {},
      token: timing,
      add: () => run(UNIDENTIFIED_MESSAGE),
      change: change('race_day_log', "shipping_status = 'SHIPPED'"),
    },
    participantsOfRace: entries({ id: raceOf.id }),
    partners: simple('partners', charity.id),
    addOnsOfOccurrence: simple('add_ons', sold.id, { id: occurrenceId }),
    referralPrograms: simple('referral_programs', program.id),
    referrersOfProgram: {
      path: { referralProgramId: program.id },
      add: async () => {
        await copy('referrers', owner.id, { generated_referral_code: newId(), created_at: anyMicrosecond() });
      },
      change: change('referrers'),
    },
    referralsOfReferrer: {
      path: {
        referralProgramId: program.id,
        referralCodeOwnerBookingId: owner.ownerBookingIds[0] as string,
      },
      add: async () => {
        const columns = { start_list_entry_id: await addEntry(), created_at: anyMicrosecond() };
        await copy('referrals', referred.id, columns);
      },
      change: change('referrals'),
    },
    credits: {
      path: {},
      add: async () => {
        await copy('credits', owed.id, { external_credit_id: newId(), created_at: anyMicrosecond() });
      },
      change: change('credits', "reason = 'changed'"),
    },
    importJobs: {
      path: {},
      add: async () => void (await addJob(any(['bookingsImport', 'creditsImport']))),
      change: change('import_jobs'),
    },
  };
}
