import type { EntityManager } from 'typeorm';
import { trimmed } from '#libs/database';

/** PostgreSQL splits the unchanged body into rows. */
const insertFrom = (body: string) => /* sql */ `
  INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload)
  SELECT $1, $2, place - 1, nullif(${trimmed('payload->>$4')}, ''), payload
  FROM jsonb_array_elements(convert_from(${body}, 'UTF8')::jsonb -> $3) WITH ORDINALITY rows (payload, place)
`;

/**
 * The driver copies a parameter several times before it sends it, which blocks other requests, so a larger body, in
 * bytes, is sent in pieces.
 */
const PIECE = 1 << 18;

/** A temporary table: exists as long as the connection, empty between transactions, and not in the WAL. */
const PIECES = /* sql */ `
  CREATE TEMPORARY TABLE IF NOT EXISTS body_pieces (place int, piece bytea) ON COMMIT DELETE ROWS;
  ALTER TABLE body_pieces ALTER piece SET STORAGE EXTERNAL
`;
const ADD_PIECE = 'INSERT INTO body_pieces VALUES ($1, $2)';
const WHOLE = "(SELECT string_agg(piece, '' ORDER BY place) FROM body_pieces)";

/** @param job the organization, the job, the property of the rows in the body, and the property of the external id */
export async function insertImportRows(
  manager: EntityManager,
  job: [organizationId: string, jobId: string, collection: string, externalId: string],
  body: Buffer,
): Promise<void> {
  if (body.length <= PIECE) {
    await manager.query(insertFrom('$5'), [...job, body]);
    return;
  }
  await manager.query(PIECES);
  for (let at = 0; at < body.length; at += PIECE)
    await manager.query(ADD_PIECE, [at, body.subarray(at, at + PIECE)]);
  await manager.query(insertFrom(WHOLE), job);
}
