import { readStatement } from '../baselines/statements';
import { announce, compare, type Options, ratio } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { requireSameItems, withReaders } from './reads';

/** The number of ids that are requested in turn, distributed over the list. */
const PARTICIPANTS = 1_000;

export async function single(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const title = 'One participant';
  return withReaders(
    url,
    async ({ organizationId }) => ({ one: await readStatement(organizationId) }),
    async ({ caller, ours, bare, naive }) => {
      const ids = await participantIds(url, caller.organizationId);
      const [some] = ids;
      await requireSameItems(ours, `/v0/participants/${some}`, bare, `/one/${some}`, caller);
      announce(title);
      const { headers } = caller;
      const measured = await compare(
        [
          {
            name: 'Startline',
            program: ours,
            requests: ids.map((id) => ({ path: `/v0/participants/${id}`, headers })),
          },
          { name: 'node:http + pg', program: bare, requests: ids.map((id) => ({ path: `/one/${id}` })) },
          {
            name: 'naive Nest + TypeORM',
            program: naive,
            requests: ids.map((id) => ({ path: `/participants/${id}`, headers })),
          },
        ],
        options,
      );
      return [
        {
          path: 'single',
          title,
          candidates: measured,
          ratios: [
            {
              what: 'of node:http + pg',
              value: ratio(measured, 'Startline', 'node:http + pg'),
              atLeast: 0.3,
            },
            {
              what: 'times naive Nest + TypeORM',
              value: ratio(measured, 'Startline', 'naive Nest + TypeORM'),
              atLeast: 3,
            },
          ],
        },
      ];
    },
  );
}

/** @returns ids distributed over the organization's list */
export const participantIds = (url: string, organizationId: string): Promise<string[]> =>
  withDataSource(url, async (dataSource) => {
    const rows: { id: string }[] = await dataSource.query(
      `SELECT participant_id AS id FROM (
         SELECT participant_id, row_number() OVER (ORDER BY created_at) - 1 AS place, count(*) OVER () AS total
         FROM start_list_entries WHERE organization_id = $1 AND approval_status = 'APPROVED') e
       WHERE place % greatest(total / $2, 1) = 0 ORDER BY md5(participant_id::text) LIMIT $2`,
      [organizationId, PARTICIPANTS],
    );
    return rows.map(({ id }) => id);
  });
