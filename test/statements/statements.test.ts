import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Description, describeStatement, type TestDatabase, testDatabase } from '#libs/testing';
import { declaredStatements, statement, typed } from '#platform/database';

const ROOT = join(__dirname, '../..');

const sources = ['libs', 'apps']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  )
  .filter(
    (file) =>
      /\.ts$/.test(file) && !/\.test\.ts$|\/migrations\/|^libs\/testing\/|^apps\/console\//.test(file),
  );
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

type Statement = ReturnType<typeof declaredStatements>[number];

/** Makes a temporary table that other statements use, in several commands: PostgreSQL describes single ones only. */
const isScript = ({ text }: Statement) => /^\s*CREATE TEMPORARY TABLE/.test(text);

const nameOf = (type: string) => type.replace(/[?!]$/, '');

/** The columns of tables that can be null, and the names of types, as PostgreSQL writes them. */
async function facts({ parameters, columns }: Description, declared: Statement) {
  const types = [...declared.parameters, ...(declared.columns?.values() ?? [])].map(nameOf);
  const { rows: ids } = await client.query<{ type: string; id: number }>(
    'SELECT type, to_regtype(type)::oid::int AS id FROM unnest($1::text[]) type',
    [types],
  );
  const { rows: names } = await client.query<{ id: number; name: string }>(
    'SELECT id, format_type(id, NULL) AS name FROM unnest($1::int[]) id',
    [[...parameters, ...columns.map(({ dataTypeID }) => dataTypeID)]],
  );
  const { rows: nullable } = await client.query<{ table: number; column: number }>(
    `SELECT attrelid::int AS table, attnum AS column FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
     WHERE relkind IN ('r', 'p') AND NOT attnotnull
       AND (attrelid, attnum) IN (SELECT * FROM unnest($1::oid[], $2::smallint[]))`,
    [columns.map(({ tableID }) => tableID), columns.map(({ columnID }) => columnID)],
  );
  return {
    idOf: new Map(ids.map(({ type, id }) => [type, id])),
    nameOf: new Map(names.map(({ id, name }) => [id, name])),
    canBeNull: new Set(nullable.map(({ table, column }) => `${table}.${column}`)),
  };
}

/** How a declaration differs from what PostgreSQL says about its statement. */
async function problemsOf(declared: Statement): Promise<string[]> {
  const described = await describeStatement(client, declared.text).catch((error: Error) => error);
  if (described instanceof Error) return [described.message];
  const known = await facts(described, declared);
  const differs = (what: string, type: string | undefined, id: number) => {
    if (type === undefined) return [`${what} is not declared: ${known.nameOf.get(id)}`];
    if (known.idOf.get(nameOf(type)) === id) return [];
    return [`${what} is ${known.nameOf.get(id)}, and declared as ${type}`];
  };
  const problems = described.parameters.flatMap((id, i) => differs(`$${i + 1}`, declared.parameters[i], id));
  if (declared.parameters.length > described.parameters.length)
    problems.push(`${declared.parameters.length} parameters are declared, of ${described.parameters.length}`);
  // Without columns, the rows are not used.
  if (!declared.columns) return problems;
  const names = described.columns.map(({ name }) => name);
  if (new Set(names).size < names.length) problems.push(`A column occurs twice: ${names.join(', ')}`);
  for (const name of declared.columns.keys())
    if (!names.includes(name)) problems.push(`There is no column "${name}"`);
  for (const { name, dataTypeID, tableID, columnID } of described.columns) {
    const type = declared.columns.get(name);
    problems.push(...differs(`"${name}"`, type, dataTypeID));
    if (type && !/[?!]$/.test(type) && known.canBeNull.has(`${tableID}.${columnID}`))
      problems.push(
        `"${name}" can be null: declare '${type}?', or '${type}!' where the statement excludes that`,
      );
  }
  return problems;
}

describe('declared statements', () => {
  it('have the parameters and columns that PostgreSQL describes', async () => {
    for (const file of sources) if (/\bstatement\(/.test(textOf(file))) require(join(ROOT, file));
    const all = declaredStatements();
    expect(all.length).toBeGreaterThan(200);
    for (const { text } of all.filter(isScript)) await client.query(text);
    const wrong: { problems: string[]; text: string }[] = [];
    for (const each of all) {
      const problems = isScript(each) ? [] : await problemsOf(each);
      if (problems.length > 0) wrong.push({ problems, text: each.text });
    }
    expect(wrong).toEqual([]);
  });

  it('look up no record by a cast of JSON: under row-level security, that reads all records of the organization for each', () => {
    for (const file of sources) if (/\bstatement\(/.test(textOf(file))) require(join(ROOT, file));
    const isCompared = (text: string) => /= \(\w+\.\w+->>'\w+'\)::uuid/.test(text);
    // The events that one partner names in its marketing.
    const few = (text: string) => text.includes('m.marketing->>');
    const texts = [...declaredStatements().map(({ text }) => text), ...sources.map(textOf)];
    expect(texts.filter((text) => isCompared(text) && !few(text))).toEqual([]);
    expect(isCompared("b.id = (r.result->>'bookingId')::uuid")).toBe(true);
  });

  it('bound texts by bytes: those that end in a LIMIT return none, except for these', () => {
    for (const file of sources) if (/\bstatement\(/.test(textOf(file))) require(join(ROOT, file));
    const known = [
      'FROM workers', // names of hosts and queues
      'change_event_body', // ids
      'ticketIds[%s]', // paths of problems
      'AS "raceTitle", t.title AS "ticketTitle", c."isBallot"', // three titles, of at most 255 characters
    ];
    const isText = (type: string) => /^(text|jsonb?)/.test(type);
    const isUnbounded = ({ text, columns }: Pick<Statement, 'text' | 'columns'>) =>
      /\bLIMIT (?!1\s*$)\S+\s*$/.test(text) && [...(columns?.values() ?? [])].some(isText);
    // All payloads of a job were once joined into one text.
    const isJoined = ({ text }: Pick<Statement, 'text'>) =>
      /\b(string|jsonb?)_agg\([^)]*\bpayload\b/.test(text);
    const wrong = declaredStatements().filter((each) => isUnbounded(each) || isJoined(each));
    expect(
      wrong.map(({ text }) => text).filter((text) => !known.some((part) => text.includes(part))),
    ).toEqual([]);
    const columns = new Map([['payload', 'jsonb' as const]]);
    expect(isUnbounded({ text: 'SELECT payload FROM import_rows LIMIT 200', columns })).toBe(true);
    expect(isJoined({ text: "SELECT string_agg(payload::text, ',') FROM import_rows" })).toBe(true);
  });

  it.each([
    [{ sql: 'SELECT 1 FROM nowhere' }, 'relation "nowhere" does not exist'],
    [{ sql: 'SELECT FROM partners WHERE id = $1' }, '$1 is not declared: uuid'],
    [{ parameters: ['text'], sql: 'SELECT FROM partners WHERE id = $1' }, '$1 is uuid, and declared as text'],
    [{ parameters: ['text'], sql: 'SELECT FROM partners' }, '1 parameters are declared, of 0'],
    [{ columns: {}, sql: 'SELECT id FROM partners' }, '"id" is not declared: uuid'],
    [
      { columns: { id: typed<string>('text') }, sql: 'SELECT id FROM partners' },
      '"id" is uuid, and declared as text',
    ],
    [{ columns: { id: 'uuid', name: 'text' }, sql: 'SELECT id FROM partners' }, 'There is no column "name"'],
    [{ columns: { id: 'uuid' }, sql: 'SELECT id, id FROM partners' }, 'A column occurs twice: id, id'],
    [
      { columns: { waveId: 'uuid' }, sql: 'SELECT wave_id AS "waveId" FROM start_list_entries' },
      `"waveId" can be null: declare 'uuid?', or 'uuid!' where the statement excludes that`,
    ],
  ] as const)('are wrong if they say otherwise: %j', async (declaration, problem) => {
    expect(await problemsOf(statement(declaration) as unknown as Statement)).toEqual([problem]);
  });
});

/** Folders that run what others declare: statements, and the texts of lists (test/contract/plans prepares each of them). */
const RUNNERS = /^libs\/platform\/(database|queries)\//;

/** Queries elsewhere that are not declared, by file: how many, and why. */
const UNDECLARED: Record<string, [queries: number, reason: string]> = {
  'libs/platform/access/src/access-changes.ts': [1, 'LISTEN'],
  'libs/platform/embedded-postgres/src/embedded-postgres.ts': [
    2,
    'whether the database exists, and CREATE DATABASE',
  ],
  'libs/domain/participants/src/erasure/erase-person.ts': [1, 'changes all classified columns of a table'],
  'libs/domain/participants/src/erasure/person-file.ts': [1, 'reads all classified columns of a table'],
  'libs/domain/participants/src/erasure/row-keys.ts': [1, 'searches all classified columns of a table'],
  'apps/cli/src/start-list-files/load-chunk.ts': [2, 'savepoints'],
  'libs/client/src/sync/postgres-copy.ts': [10, "of a partner's database; test/client/sync runs them"],
};

it('are the only SQL, except in the files that are listed here with their reason', () => {
  const counts = sources.flatMap((file) => {
    const code = textOf(file).replace(/^\s*(\*|\/\/).*/gm, '');
    const queries = code.match(/\.(query|tuples|execute)(<[^()]*>)?\([^)]/g) ?? [];
    return queries.length > 0 && !RUNNERS.test(file) ? [[file, queries.length] as const] : [];
  });
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(Object.entries(UNDECLARED).map(([file, [queries]]) => [file, queries])),
  );
});

it('limit their time in one place, which never exceeds what the client waits', () => {
  const found = sources.filter((file) =>
    /set_config\('statement_timeout'|SET statement_timeout/.test(textOf(file)),
  );
  expect(found).toEqual(['libs/platform/database/src/statement-limit.ts']);
});
