import { ticket } from '#libs/testing';
import { type BodyOf, eventually, type TestApi } from '../harness';

/** Posts a batch and follows its job to the end. */
export async function importRows(
  api: TestApi,
  path: string,
  body: unknown,
  {
    method = 'POST',
    token,
    headers,
  }: { method?: string; token?: string; headers?: Record<string, string> } = {},
) {
  const accepted = await api.send(method, `/v0/${path}`, body, token, headers);
  if (accepted.status !== 200) throw new Error(`The import was refused: ${accepted.text}`);
  // A question costs the API and the worker about as much as the row of a small job.
  const job = await api.client(token).finished(accepted.body, { everyMs: 30 });
  return job as BodyOf<'GET', '/v0/bookings/import/*'>;
}

export const finished = (api: TestApi, path: string, jobId: string, token?: string) =>
  eventually(async () => {
    const { body } = await api.get(`/v0/${path}/${jobId}`, token);
    return ['COMPLETED', 'FAILED'].includes(body.status) && body;
  });

/** Row and code of each error of a job. */
export const errorsOf = (job: { errors: { row: number; code: string }[] }) =>
  job.errors.map(({ row, code }) => [row, code]);

let orders = 0;
/** An occurrence with one ticket, and rows that book it. */
export async function sale(api: TestApi, given: object = {}) {
  const sold = await ticket(api.dataSource, { organizationId: api.organizationId, ...given });
  const participant = (more: object = {}) => ({
    ticketId: sold.id,
    firstName: 'Ada',
    lastName: 'Lovelace',
    ...more,
  });
  const row = (more: object = {}) => ({
    externalBookingId: `order-${++orders}`,
    eventOccurrenceId: sold.eventOccurrenceId,
    booker: { email: 'Ada@Example.com', firstName: 'Ada', lastName: 'Lovelace' },
    participants: [participant()],
    ...more,
  });
  return { ticket: sold, row, participant };
}

/** Rows that an import itself writes, that requests leave, and that a worker may be processing. */
const OF_IMPORTS = [
  'workers',
  'race_day_tasks',
  'import_jobs',
  'import_rows',
  'import_attempts',
  'dry_run_takings',
  'idempotency_keys',
  'rate_windows',
  'request_log',
  'api_keys',
];

/** Every row of every other table. */
export async function everything({ dataSource }: TestApi): Promise<Record<string, unknown>> {
  const tables: { name: string }[] = await dataSource.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1`,
    [OF_IMPORTS],
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables)
    [found[name]] = await dataSource.query(
      `SELECT count(*)::int AS rows, md5(string_agg(t::text, '' ORDER BY t::text)) AS hash FROM "${name}" t`,
    );
  return found;
}
