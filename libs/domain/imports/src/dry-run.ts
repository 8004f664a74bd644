import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import type { RowOutcome } from '#platform/import-rows';
import { IMPORT_DEFINITIONS } from './definitions';

const IDS: Readonly<Record<string, string>> = Object.assign({}, ...IMPORT_DEFINITIONS.map(({ ids }) => ids));

const EXISTING = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `
    SELECT asked.id FROM unnest($2::uuid[]) asked (id)
    WHERE ${[...new Set(Object.values(IDS))]
      .map((column) => {
        const [table] = column.split('.');
        return `EXISTS (SELECT FROM ${table} WHERE ${table}.organization_id = $1 AND ${column} = asked.id)`;
      })
      .join(' OR ')}
  `,
});

const RESTORE = statement({ sql: 'ROLLBACK TO SAVEPOINT dry_run' });

const CHECK_CONSTRAINTS = statement({ sql: 'SET CONSTRAINTS ALL IMMEDIATE' });

const SAVE = statement({ sql: 'SAVEPOINT dry_run' });

/**
 * Does the work of a chunk like a real run, and rolls it back, so that a dry run cannot differ from the run that it
 * predicts. Also releases the locks of the work.
 *
 * @returns the outcomes, which contain existing records and none that were rolled back
 */
export async function undone(
  manager: EntityManager,
  organizationId: string,
  work: () => Promise<RowOutcome[]>,
): Promise<RowOutcome[]> {
  // After an error the whole transaction is rolled back.
  await SAVE.run(manager);
  const outcomes = await work();
  // A real run checks them at commit.
  await CHECK_CONSTRAINTS.run(manager);
  await RESTORE.run(manager);
  const ids = [...new Set(outcomes.flatMap(({ result }) => Object.entries(result ?? {}).flatMap(idsOf)))];
  const existing: { id: string }[] = ids.length ? await EXISTING.rows(manager, [organizationId, ids]) : [];
  const known = new Set(existing.map(({ id }) => id));
  return outcomes.map((outcome) => ({
    ...outcome,
    result:
      outcome.result &&
      Object.fromEntries(
        Object.entries(outcome.result).filter((property) => idsOf(property).every((id) => known.has(id))),
      ),
  }));
}

const idsOf = ([name, value]: [string, unknown]): string[] =>
  Object.hasOwn(IDS, name) && value !== null ? ([value].flat() as string[]) : [];
