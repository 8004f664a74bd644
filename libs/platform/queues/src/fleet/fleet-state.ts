import type { Settings } from '#platform/config';
import { type Database, statement, typed } from '#platform/database';
import { QUEUE_NAMES, type QueueName } from '../queues';
import type { ActivityReport } from './activity';
import { type OpenWork, workersWanted } from './workers-wanted';

/** The most rows that are counted of each kind: more work needs more workers than anyone permits. */
const MOST = 100_000;
const MOST_WORKERS = 100;
/** Import jobs of an organization at the same time, over all workers. */
export const IMPORT_SLOTS = 4;

/** Units per second of a worker before any was measured: low, so that the first workers come early. */
const UNMEASURED: Record<QueueName, number> = {
  imports: 1_000,
  'race-day': 2_000,
  persons: 5_000,
  webhooks: 20,
};

const OPEN_WORK = statement({
  parameters: ['int', 'int'],
  columns: { queue: typed<QueueName>('text'), units: 'float8', parts: 'int', waiting_seconds: 'float8' },
  sql: 'SELECT * FROM open_work($1, $2)',
});

const WORKERS = statement({
  parameters: ['bigint'],
  columns: {
    id: 'uuid',
    host: 'text',
    version: 'text',
    queues: 'text[]',
    started_at: 'timestamptz',
    seen_at: 'timestamptz',
    activity: typed<ActivityReport>('jsonb'),
    running: 'int',
  },
  sql: `
    SELECT id, host, version, queues, started_at, seen_at, activity, (count(*) OVER ())::int AS running
    FROM workers WHERE expires_at > clock_timestamp() ORDER BY started_at, id LIMIT $1
  `,
});

export interface FleetState {
  /** ISO 8601 */
  at: string;
  /** Of now. `GET /workers` returns the largest of the last minutes. */
  workersWanted: number;
  running: number;
  work: (OpenWork & { isMeasured: boolean })[];
  /** The first 100. */
  workers: (ActivityReport & {
    id: string;
    host: string;
    version: string;
    queues: string[];
    startedAt: Date;
    seenAt: Date;
  })[];
}

type Rules = Pick<Settings, 'WORKERS_DELAY_SECONDS' | 'WORKERS_MOST'>;

/** Reads what is open, on every server, and what workers report. */
export async function readFleet(
  database: Pick<Database, 'everywhere' | 'anywhere'>,
  { WORKERS_DELAY_SECONDS: delaySeconds, WORKERS_MOST: most }: Rules,
): Promise<FleetState> {
  const [open, found] = await Promise.all([
    // Not prepared: the plan must match the current size of the tables.
    database.everywhere((on) => OPEN_WORK.rows(on, [IMPORT_SLOTS, MOST])),
    database.anywhere((on) => WORKERS.rows(on, [MOST_WORKERS])),
  ]);
  const work = QUEUE_NAMES.map((queue) => {
    const such = open.filter((each) => each.queue === queue);
    const speeds = found.flatMap(({ activity }) => activity.speeds?.[queue] ?? []);
    return {
      queue,
      units: such.reduce((sum, each) => sum + each.units, 0),
      parts: such.reduce((sum, each) => sum + each.parts, 0),
      waitingSeconds: Math.max(0, ...such.map((each) => each.waiting_seconds)),
      speed: speeds.length
        ? Math.max(0.1, speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length)
        : UNMEASURED[queue],
      isMeasured: speeds.length > 0,
    };
  });
  const running = found[0]?.running ?? 0;
  return {
    at: new Date().toISOString(),
    workersWanted: workersWanted(work, running, { delaySeconds, most }),
    running,
    work,
    workers: found.map(({ id, host, version, queues, started_at, seen_at, activity }) => ({
      id,
      host,
      version,
      queues,
      startedAt: started_at,
      seenAt: seen_at,
      speeds: activity.speeds ?? {},
      doing: activity.doing ?? [],
      jobs: activity.jobs ?? 0,
    })),
  };
}
