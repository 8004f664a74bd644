import { SettingsError } from './settings-error';

/**
 * Bounds of mechanisms that no operator has a reason to change, and that tests make smaller to reach them: as
 * `STARTLINE_TEST_SWEEP_MS=200`, with `NODE_ENV=test` only. A bound that no test changes is a constant beside its use.
 */
const BOUNDS = {
  /**
   * A process that was silent for this long counts as stopped: another worker takes its jobs, and PostgreSQL ends its open
   * transactions, for which lists by `updatedAt` wait.
   */
  SILENT_MS: 30_000,
  /** The interval at which workers look for work that the queue lost. */
  SWEEP_MS: 3_000,
  /** The interval at which counters are compacted and expired rows are deleted. */
  MAINTENANCE_MS: 10_000,
  /** The interval at which webhook deliveries are created and sent. */
  WEBHOOK_SWEEP_MS: 500,
  /** Pending deliveries of a webhook endpoint: an import of 1.3 MB can become 100,000. */
  WEBHOOK_BACKLOG_LIMIT: 10_000,
  /** How long a request with a large body, page or response waits for its turn before it gets 503. */
  TURN_WAIT_MS: 30_000,
  /** Rows of the request log for each key and hour. */
  REQUEST_LOG_ROWS: 1_000,
  /** Rows that a transaction of an import writes; for bookings, participants. */
  IMPORT_CHUNK_ROWS: 2_000,
  /** Bytes of JSON that a transaction of an import reads; a larger row fails. */
  IMPORT_CHUNK_BYTES: 4_194_304,
  /** The target duration of a transaction of an import. Lists by `updatedAt` wait for it. */
  IMPORT_CHUNK_MS: 400,
  /** How long imports of one organization run before the next takes its turn. */
  IMPORT_TURN_MS: 1_000,
  /** Processes that an import may crash before it fails. */
  IMPORT_CRASH_LIMIT: 60,
};
type Bounds = Readonly<typeof BOUNDS>;

const PREFIX = 'STARTLINE_TEST_';

/** @throws SettingsError if the environment has one that is unknown or invalid, or that is not for a test */
export function boundsOf(env: NodeJS.ProcessEnv): Bounds {
  const bounds = { ...BOUNDS };
  for (const name of Object.keys(env).filter((each) => each.startsWith(PREFIX))) {
    const bound = name.slice(PREFIX.length) as keyof Bounds;
    const value = Number(env[name]);
    if (env.NODE_ENV !== 'test' || !Object.hasOwn(BOUNDS, bound) || !Number.isInteger(value) || value < 1)
      throw new SettingsError(
        `${name} is not a setting: with NODE_ENV=test, it can be a bound and a whole number.`,
      );
    bounds[bound] = value;
  }
  return bounds;
}
