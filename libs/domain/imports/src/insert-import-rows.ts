import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';

/** PostgreSQL splits the unchanged body into rows. */
const insertFrom = (body: string) => /* sql */ `
  INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload, corrects_job_id, corrects_row)
  SELECT $1, $2, place - 1, nullif(left(trimmed(payload->>$4), 255), ''), payload, $5, ($6::int[])[place]
  FROM jsonb_array_elements(convert_from(${body}, 'UTF8')::jsonb -> $3) WITH ORDINALITY rows (payload, place)
`;

/**
 * The driver copies a parameter several times before it sends it, which blocks other requests, so a larger body, in
 * bytes, is sent in pieces.
 */
const PIECE = 1 << 18;

/** A temporary table: exists as long as the connection, empty between transactions, and not in the WAL. */
const PIECES = statement({
  sql: `
    CREATE TEMPORARY TABLE IF NOT EXISTS body_pieces (place int, piece bytea) ON COMMIT DELETE ROWS;
    ALTER TABLE body_pieces ALTER piece SET STORAGE EXTERNAL
  `,
});
const ADD_PIECE = statement({ parameters: ['int', 'bytea'], sql: 'INSERT INTO body_pieces VALUES ($1, $2)' });
const INSERT = statement({
  parameters: ['uuid', 'uuid', 'text', 'text', 'uuid?', 'int[]?', 'bytea'],
  sql: insertFrom('$7'),
});
const INSERT_PIECES = statement({
  parameters: ['uuid', 'uuid', 'text', 'text', 'uuid?', 'int[]?'],
  sql: insertFrom("(SELECT string_agg(piece, '' ORDER BY place) FROM body_pieces)"),
});

/**
 * @param job the organization, the job, the property of the rows in the body, the property of the external id, the job whose
 *   failed rows these replace, and the number of the failed row for each
 */
export async function insertImportRows(
  manager: EntityManager,
  job: [
    organizationId: string,
    jobId: string,
    collection: string,
    externalId: string,
    correctsJobId: string | null,
    correctsRows: number[] | null,
  ],
  body: Buffer,
): Promise<void> {
  if (body.length <= PIECE) {
    await INSERT.run(manager, [...job, body]);
    return;
  }
  await PIECES.run(manager);
  for (let at = 0; at < body.length; at += PIECE)
    await ADD_PIECE.run(manager, [at, body.subarray(at, at + PIECE)]);
  await INSERT_PIECES.run(manager, job);
}
