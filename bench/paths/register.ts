import { registrationStatement } from '../baselines/statements';
import { announce, compare, type Options, ratio } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import type { Result } from '../report/result';
import { withReaders } from './reads';

/** Every second email is registered. */
const EMAILS = 1_000;

/** The registration check of a partner. */
export async function register(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const title = 'Registration check';
  let occurrenceId = '';
  let registered: string[] = [];
  return withReaders(
    url,
    async ({ organizationId }, dataSource) => {
      const rows: { occurrence: string; email: string }[] = await dataSource.query(
        `SELECT event_occurrence_id AS occurrence, email_normalized AS email FROM start_list_entries
         WHERE organization_id = $1 AND approval_status = 'APPROVED' AND event_occurrence_id = (
           SELECT event_occurrence_id FROM start_list_entries WHERE organization_id = $1
           ORDER BY created_at LIMIT 1)
         ORDER BY md5(id::text) LIMIT $2`,
        [organizationId, EMAILS / 2],
      );
      occurrenceId = rows[0]?.occurrence as string;
      registered = rows.map(({ email }) => email);
      return { registered: await registrationStatement(organizationId, occurrenceId) };
    },
    async ({ caller, ours, bare, naive }) => {
      announce(title);
      const emails = registered.flatMap((email) => [email, `nobody-${email}`]);
      const headers = { ...caller.headers, 'content-type': 'application/json' };
      const asking = (path: string) =>
        emails.map((email) => ({ path, method: 'POST' as const, headers, body: JSON.stringify({ email }) }));
      const measured = await compare(
        [
          {
            name: 'Startline',
            program: ours,
            requests: asking(`/v0/event-occurrences/${occurrenceId}/registration-status`),
          },
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
