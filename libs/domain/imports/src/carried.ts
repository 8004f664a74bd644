import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { Carried, type CarriedValues } from '#platform/import-rows';
import type { OpenJob } from './open-jobs';

const READ = statement({
  parameters: ['uuid', 'uuid', 'text[]'],
  columns: { name: 'text', value: 'jsonb' },
  sql: `
    SELECT asked.name, t.value FROM unnest($3::text[]) asked (name)
    JOIN dry_run_takings t ON t.organization_id = $1 AND t.job_id = $2 AND t.name = decode(asked.name, 'hex')
  `,
});

/** In the order of the primary key. */
const WRITE = statement({
  parameters: ['uuid', 'uuid', 'json'],
  sql: `
    INSERT INTO dry_run_takings AS t (organization_id, job_id, name, value)
    SELECT $1, $2, decode(x.name, 'hex'), x.value FROM json_to_recordset($3::json) x (name text, value jsonb) ORDER BY 3
    ON CONFLICT (organization_id, job_id, name) DO UPDATE SET value = excluded.value
  `,
});

/** What earlier chunks of a dry run took, also those of the dry runs that it continues: `jobId` is that of the first. */
export const carriedOf = (manager: EntityManager, { organizationId, jobId }: OpenJob): Carried =>
  new Carried(async (names) => {
    const byHash = new Map(names.map((name) => [hashOf(jobId, name), name]));
    const found = await READ.rows(manager, [organizationId, jobId, [...byHash.keys()]]);
    return new Map(found.map(({ name, value }) => [byHash.get(name) as string, value]));
  });

/** Keeps what a chunk took for the next ones, in its transaction. */
export async function carry(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  changes: CarriedValues,
): Promise<void> {
  if (changes.size === 0) return;
  const rows = [...changes].map(([name, value]) => ({ name: hashOf(jobId, name), value }));
  await WRITE.run(manager, [organizationId, jobId, JSON.stringify(rows)]);
}

/** Names contain addresses of people, which only rows hold. */
const hashOf = (jobId: string, name: string): string =>
  createHash('sha256').update(`${jobId}/${name}`).digest('hex').slice(0, 32);
