import type { DataSource } from 'typeorm';
import { COLUMNS, columnsWithText, erasePerson, type FiledRows, personFile } from '#domain/participants';
import {
  key,
  type TestDatabase,
  testDatabase,
  type WholeOrganization,
  wholeOrganization,
} from '#libs/testing';
import { COLUMN_KINDS, createDataSource, newId } from '#platform/database';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

const MARK = 'zyxwvperson';
const EMAIL = `${MARK}@example.com`;
const actor = { type: 'SYSTEM', id: null, origin: null } as const;

const named = (kinds: readonly (typeof COLUMN_KINDS)[number][]) =>
  Object.entries(COLUMNS).flatMap(([table, columns]) =>
    kinds.flatMap((kind) => (columns[kind] ?? []).map((column) => `${table}.${column}`)),
  );

describe('the register of columns', () => {
  it('contains every column of the schema that can hold text, once, and no others', async () => {
    const columns = await columnsWithText(dataSource.manager);
    expect(named(COLUMN_KINDS).sort()).toEqual(
      columns.map(({ table, column }) => `${table}.${column}`).sort(),
    );
  });

  it('detects a missing column that a migration adds', async () => {
    await dataSource.query('ALTER TABLE bookings ADD COLUMN nickname varchar(9)');
    const columns = await columnsWithText(dataSource.manager);
    await dataSource.query('ALTER TABLE bookings DROP COLUMN nickname');
    expect(columns).toContainEqual(expect.objectContaining({ table: 'bookings', column: 'nickname' }));
    expect(named(COLUMN_KINDS)).not.toContain('bookings.nickname');
  });
});

/** Stored values of columns with the person, where the simplest text of the type would not be realistic. */
const STRUCTURED: Record<string, unknown> = {
  'bookings.booker_email': ` ${EMAIL.toUpperCase()} `,
  'credits.email': EMAIL.toUpperCase(),
  'credits.email_normalized': EMAIL,
  'start_list_entries.email_normalized': EMAIL,
  'start_list_entries.fields': [
    { key: 'email', value: EMAIL },
    { key: 'lastName', value: MARK },
  ],
  'start_list_entries.status_details': [
    { status: 'APPROVED', at: '', reason: `${MARK} wrote from ${EMAIL}` },
  ],
  'start_list_entries.race_day_fields': [{ id: 'x', value: `${MARK} ${EMAIL}` }],
  'start_list_entries.partner_marketing_opt_ins': [{ partnerId: MARK, optedIn: true, from: EMAIL }],
  'person_jobs.email': EMAIL,
  'partners.contacts': [{ firstName: MARK, lastName: MARK, email: EMAIL }],
  'race_day_log.custom_fields': [{ id: 'x', value: `${MARK} ${EMAIL}` }],
};

const AT = '2027-05-01T09:00:00Z';
/** Rows of the tables that a whole organization has none of. */
const FURTHER_ROWS: Record<string, object> = {
  audit_log: { id: newId(), at: AT, actor_type: 'STAFF', action: 'key.create', object_type: 'key' },
  race_day_log: { source: 'RACE_DAY', changed_at: AT, received_at: AT },
  race_day_fields: { participant_id: newId(), field_id: 'x', value: {}, changed_at: AT, seq: 1 },
  race_day_tasks: { bib_number: '1' },
  bib_claims: { participant_id: newId(), seq: 1, bib_number: '1', changed_at: AT },
  ballot_draws: {
    ...{ id: newId(), ticket_id: newId(), number: 1, seed: '1', places: 1, keeps_pending: false },
    actor_type: 'STAFF',
  },
};

/** An organization with the person in every column that can contain personal data. */
async function filled(mark: string): Promise<WholeOrganization> {
  const whole = await wholeOrganization(dataSource, { mark });
  const { organizationId, ids } = whole;
  await dataSource.query(
    `INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, applied_at)
     VALUES ($1, 'RACE_DAY', now(), $2, now())`,
    [organizationId, ids.participants],
  );
  await dataSource.query(
    `INSERT INTO race_day_fields (organization_id, participant_id, field_id, value, changed_at, seq)
     VALUES ($1, $2, 'x', '{}', now(), 1)`,
    [organizationId, ids.participants],
  );
  await dataSource.query(
    `INSERT INTO idempotency_keys (organization_id, operation, key, body_hash, record_id) VALUES ($1, 'x', 'x', '', $2)`,
    [organizationId, newId()],
  );
  await dataSource.query(
    `INSERT INTO audit_log (organization_id, id, actor_type, action, object_type, object_id, changes)
     VALUES ($1, $2, 'STAFF', 'participant.update', 'participant', $3, $4), ($1, $5, 'STAFF', 'partner.update', 'partner', $6, $4)`,
    [
      ...[organizationId, newId(), ids.participants],
      ...[JSON.stringify([{ field: 'notes', from: MARK, to: EMAIL }]), newId(), ids.partners],
    ],
  );
  await dataSource.query("UPDATE import_rows SET outcome = 'FAILED' WHERE organization_id = $1", [
    organizationId,
  ]);
  for (const { table, column, type } of await columnsWithText(dataSource.manager)) {
    const name = `${table}.${column}`;
    // The log is append-only.
    if (!named(['personal', 'foreign', 'remarks']).includes(name) || table === 'audit_log') continue;
    const text = `${MARK} (${EMAIL})`;
    const structured = STRUCTURED[name];
    // Different in each row, because ids are unique.
    const unique = type === 'text' && !structured ? "|| ' ' || gen_random_uuid()" : '';
    const value = structured ?? (type === 'text[]' ? [text] : type === 'text' ? text : { note: text });
    await dataSource.query(
      `UPDATE "${table}" SET "${column}" = $2::${type} ${unique} WHERE organization_id = $1`,
      [organizationId, type.startsWith('json') ? JSON.stringify(value) : value],
    );
  }
  return whole;
}

/** Columns in which the organization has the text. */
async function holding(organizationId: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column, owned } of await columnsWithText(dataSource.manager)) {
    if (!owned) continue;
    const [{ held }] = await dataSource.query(
      `SELECT EXISTS (SELECT FROM "${table}" WHERE organization_id = $1 AND strpos(lower("${column}"::text), $2) > 0) AS held`,
      [organizationId, text],
    );
    if (held) found.push(`${table}.${column}`);
  }
  return found.sort();
}

async function filed(organizationId: string, email: string): Promise<FiledRows[]> {
  const found: FiledRows[] = [];
  for await (const each of personFile(dataSource, { organizationId, email })) found.push(each);
  return found;
}

describe('the file of a person', () => {
  it('has every column that an erasure clears, and no rows of other organizations', async () => {
    const { organizationId } = await filled('filed-organization');
    await filled('unfiled-organization');
    const tables = await filed(organizationId, EMAIL.toUpperCase());
    const holding = tables.flatMap(({ table, rows }) =>
      Object.keys(rows[0] ?? {})
        .filter((column) =>
          rows.some((row) =>
            JSON.stringify(row[column] ?? '')
              .toLowerCase()
              .includes(EMAIL),
          ),
        )
        .map((column) => `${table}.${column}`),
    );
    expect(holding.sort()).toEqual(named(['personal', 'foreign', 'remarks']).sort());
    expect(await filed(organizationId, 'nobody@example.com')).toEqual([]);
  });
});

describe('person erase', () => {
  it('clears every column with personal data, and no rows of other organizations', async () => {
    const first = await filled('first-organization');
    const { organizationId } = first;
    const other = await filled('second-organization');
    const covered = named(['personal', 'foreign', 'remarks']).sort();
    expect(await holding(organizationId, EMAIL)).toEqual(covered);

    const asked = { organizationId, email: ` ${EMAIL.toUpperCase()}`, dryRun: false };
    const planned = await erasePerson(dataSource, { ...asked, dryRun: true }, actor);
    expect(await holding(organizationId, EMAIL)).toEqual(covered);
    expect(planned).toMatchObject({
      id: null,
      dryRun: true,
      participantIds: expect.arrayContaining([first.ids.participants]),
    });

    const erasure = await erasePerson(dataSource, asked, actor);
    expect(await holding(organizationId, EMAIL)).toEqual([]);
    // Other text of external systems does not identify a person without the address.
    expect(
      (await holding(organizationId, MARK)).filter((name) => named(['personal', 'derived']).includes(name)),
    ).toEqual([]);
    expect(await holding(other.organizationId, EMAIL)).toEqual(covered);

    expect(erasure.removed).toEqual(planned.removed);
    expect(Object.keys(erasure.removed)).toEqual(
      [...new Set(covered.map((name) => name.split('.')[0]))].sort(),
    );
    const again = await erasePerson(dataSource, asked, actor);
    expect(again).toMatchObject({ removed: {}, participantIds: [] });
  });

  it('is recorded at its start and its end, without the address', async () => {
    const { organizationId } = await filled('third-organization');
    const asked = { organizationId, email: EMAIL, dryRun: true };
    await erasePerson(dataSource, asked, actor);
    const erasure = await erasePerson(dataSource, { ...asked, dryRun: false }, actor);
    const records = await dataSource.query(
      `SELECT action, object_id, details FROM audit_log
       WHERE organization_id = $1 AND object_type = 'person' ORDER BY at`,
      [organizationId],
    );
    const record = { action: 'person.erase', object_id: erasure.id };
    expect(records).toEqual([
      { ...record, details: { status: 'STARTED' } },
      { ...record, details: { status: 'DONE', removed: erasure.removed, importRowsAhead: 0 } },
    ]);
  });
});

it('person erase reports what it leaves: every column that the organizer writes', async () => {
  const { organizationId } = await wholeOrganization(dataSource, { mark: 'kept-organization' });
  await key(dataSource, { organizationId });
  const columns = (await columnsWithText(dataSource.manager)).filter(
    ({ table, column, owned }) => owned && COLUMNS[table]?.organizer?.includes(column),
  );
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    // Without triggers and references: rows of the race day and of draws need no others here.
    await runner.query('SET LOCAL session_replication_role = replica');
    for (const [table, row] of Object.entries(FURTHER_ROWS)) {
      const names = ['organization_id', ...Object.keys(row)].join(', ');
      await runner.query(
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_record(NULL::${table}, $1)`,
        [JSON.stringify({ organization_id: organizationId, ...row })],
      );
    }
    for (const { table, column, type } of columns) {
      if (type === 'date') continue;
      const text = type === 'text[]' ? [EMAIL] : EMAIL;
      await runner.query(
        `UPDATE "${table}" SET "${column}" = $2::${type} WHERE ctid = (SELECT min(ctid) FROM "${table}" WHERE organization_id = $1)`,
        [organizationId, type.startsWith('json') ? JSON.stringify({ note: EMAIL }) : text],
      );
    }
    const { kept } = await erasePerson(
      { transaction: (work) => work(runner.manager) },
      { organizationId, email: EMAIL, dryRun: false },
      actor,
    );
    const tables = columns.filter(({ type }) => type !== 'date').map(({ table }) => table);
    expect([...new Set(kept.map(({ table }) => table))].sort()).toEqual([...new Set(tables)].sort());
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
});
