import { registrationStatement } from '../baselines/statements';
import { announce, compare, type Options, ratio } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { withReaders } from './reads';

/** Every second email is registered. */
const EMAILS = 1_000;

/** Checks of an occurrence, every other email registered. */
export async function registrationRequests(
  url: string,
  organizationId: string,
  headers: Record<string, string>,
) {
  const rows: { occurrence: string; email: string }[] = await withDataSource(url, (dataSource) =>
    dataSource.query(
      `SELECT event_occurrence_id AS occurrence, email_normalized AS email FROM start_list_entries
       WHERE organization_id = $1 AND approval_status = 'APPROVED' AND event_occurrence_id = (
         SELECT event_occurrence_id FROM start_list_entries WHERE organization_id = $1
         ORDER BY created_at LIMIT 1)
       ORDER BY md5(id::text) LIMIT $2`,
      [organizationId, EMAILS / 2],
    ),
  );
  const occurrenceId = rows[0]?.occurrence as string;
  const emails = rows.flatMap(({ email }) => [email, `nobody-${email}`]);
  return {
    occurrenceId,
    requests: emails.map((email) => ({
      path: `/v0/event-occurrences/${occurrenceId}/registration-status`,
      method: 'POST' as const,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })),
  };
}

/** The registration check of a partner. */
export async function register(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const title = 'Registration check';
  let asked: Awaited<ReturnType<typeof registrationRequests>>;
  return withReaders(
    url,
    async ({ organizationId, headers }) => {
      asked = await registrationRequests(url, organizationId, headers);
      return { registered: await registrationStatement(organizationId, asked.occurrenceId) };
    },
    async ({ ours, bare, naive }) => {
      announce(title);
      const { requests, occurrenceId } = asked;
      const asking = (path: string) => requests.map((request) => ({ ...request, path }));
      const measured = await compare(
        [
          { name: 'Startline', program: ours, requests },
          { name: 'node:http + pg', program: bare, requests: asking('/registered') },
          {
            name: 'naive Nest + TypeORM',
            program: naive,
            requests: asking(`/occurrences/${occurrenceId}/registration-status`),
          },
        ],
        options,
      );
      return [
        {
          path: 'register',
          title,
          candidates: measured,
          ratios: [
            {
              what: 'of node:http + pg',
              value: ratio(measured, 'Startline', 'node:http + pg'),
              atLeast: 0.25,
            },
            {
              what: 'times naive Nest + TypeORM',
              value: ratio(measured, 'Startline', 'naive Nest + TypeORM'),
            },
          ],
        },
      ];
    },
  );
}
