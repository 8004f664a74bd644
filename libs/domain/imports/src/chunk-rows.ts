import { type Row, type RunsOn, statement, typed } from '#platform/database';
import type { ImportRow } from '#platform/import-rows';
import { trimProperties } from '#platform/validation';
import type { ImportSurface } from './definitions';
import type { OpenJob } from './open-jobs';

/** The limits of a transaction. */
export interface ChunkLimits {
  rows: number;
  /** A booking counts as the number of its participants, other rows as one. */
  entries: number;
  /** Bytes of the rows as JSON text. */
  bytes: number;
}

/** The rows of the next transaction, and their size. */
export type Chunk = Row<typeof CHUNK>;

/**
 * PostgreSQL stores numbers exactly and renders 1e131071 with all its zeros. Numbers that do not fit a double are not
 * rendered: a few kilobytes of such numbers would need gigabytes.
 */
const HUGE_NUMBER =
  '$.** ? (@.type() == "number" && (@ > 1e309 || @ < -1e309 || (@ < 1e-325 && @ > -1e-325 && @ != 0)))';
const HUGE = '1099511627776::bigint';

/** The first row is always included. Only sizes leave the database; those of more rows than fit are at most those of a body. */
const CHUNK = statement({
  parameters: ['uuid', 'uuid', 'int', 'int', 'bigint'],
  columns: {
    surface: typed<ImportSurface>('text'),
    rows: 'int',
    entries: 'int',
    bytes: 'float8',
    /** The number of the last row. */
    last: 'int',
  },
  sql: `
    WITH open AS (
      SELECT r.row_number,
        CASE jsonb_typeof(r.payload -> 'participants') WHEN 'array'
          THEN greatest(1, jsonb_array_length(r.payload -> 'participants')) ELSE 1 END AS entries,
        CASE WHEN r.payload @? '${HUGE_NUMBER}' THEN ${HUGE} ELSE octet_length(r.payload::text) END AS bytes
      FROM import_rows r
      WHERE r.organization_id = $1 AND r.job_id = $2 AND r.outcome IS NULL
      ORDER BY r.row_number LIMIT $3::int
    ), summed AS (
      SELECT row_number, row_number() OVER up_to AS rows, sum(entries) OVER up_to AS entries, sum(bytes) OVER up_to AS bytes
      FROM open WINDOW up_to AS (ORDER BY row_number ROWS UNBOUNDED PRECEDING)
    )
    SELECT surface, rows::int, entries::int, bytes::float8 AS bytes, row_number AS last
    FROM summed CROSS JOIN (SELECT surface FROM import_jobs WHERE organization_id = $1 AND id = $2) job
    WHERE rows = 1 OR (entries <= $4::int AND bytes <= $5::bigint)
    ORDER BY rows DESC LIMIT 1
  `,
});

const FIRST = statement({
  parameters: ['uuid', 'uuid'],
  columns: { row: 'int' },
  sql: `
    SELECT row_number AS row FROM import_rows
    WHERE organization_id = $1 AND job_id = $2 AND outcome IS NULL ORDER BY row_number LIMIT 1
  `,
});

const ROWS = statement({
  parameters: ['uuid', 'uuid', 'int'],
  columns: { row: 'int', payload: 'jsonb' },
  sql: `
    SELECT row_number AS row, payload FROM import_rows
    WHERE organization_id = $1 AND job_id = $2 AND outcome IS NULL AND row_number <= $3 ORDER BY row_number
  `,
});

/** The rows without an outcome that fit into the limits; `undefined` if every row has an outcome. */
export async function nextChunk(
  on: RunsOn,
  { organizationId, jobId }: OpenJob,
  { rows, entries, bytes }: ChunkLimits,
): Promise<Chunk | undefined> {
  return CHUNK.first(on, [organizationId, jobId, rows, entries, bytes]);
}

/** The number of the first row without an outcome. */
export async function firstRow(on: RunsOn, { organizationId, jobId }: OpenJob): Promise<number | undefined> {
  const first = await FIRST.first(on, [organizationId, jobId]);
  return first?.row;
}

/** The rows of the chunk, with trimmed ids, codes and emails. */
export async function rowsOf(
  on: RunsOn,
  { organizationId, jobId }: OpenJob,
  { last }: Chunk,
): Promise<ImportRow<unknown>[]> {
  const rows = await ROWS.rows(on, [organizationId, jobId, last]);
  for (const { payload } of rows) trimProperties(payload);
  return rows;
}
