import type { QueryRunner } from 'typeorm';
import type { SecretBox } from '#domain/webhooks';
import type { KeyKind, SigningSecret } from '#platform/access';
import { createDataSource, LOCKS, statement } from '#platform/database';
import { CommandError } from '../errors';
import { demo } from './content/demo';
import { rival } from './content/rival';
import { Day, RowMaker } from './day';
import { demoOrganization, open } from './organization-rows';
import { insertRecentWork } from './recent-work';
import { prepareSession } from './session';
import { entriesOf, sizeCohorts } from './sizes';
import { INSERT_BOOKINGS, INSERT_REFERRAL_OWNERS, INSERT_REFERRALS } from './sql/bookings';
import { INSERT_ENTRIES, INSERT_TEAMS } from './sql/entries';
import {
  BATCH_ADD_ONS,
  BATCH_LINE_ITEMS,
  INSERT_ALLOCATIONS,
  INSERT_LINE_ITEMS,
  INSERT_SPENT_CREDITS,
} from './sql/money';
import { BATCH_BOOKINGS, BATCH_PEOPLE } from './sql/people';
import { INSERT_RACE_DAY_LOG } from './sql/race-day';
import { wipe } from './wipe';

export interface DemoOptions {
  /** Start list entries of the organization `demo`. */
  participants?: number;
  /** The same seed on the same day gives the same rows. */
  seed?: number;
  /** YYYY-MM-DD, UTC; every date is relative to it. */
  today?: string;
  /** Signs the tokens, so that their last four characters are known. */
  signingSecrets?: SigningSecret[];
  /** Encrypts the secret of a webhook endpoint: with it, the console has recent work that needs a hand. */
  secretBox?: SecretBox;
  /** The progress: the number of entries so far, and in total. */
  onProgress?: (done: number, total: number) => void;
}

/** `loaded: false` if the database already contains the demo data. */
export type DemoLoad =
  | { loaded: false }
  | {
      loaded: true;
      organizations: { id: string; slug: string; entries: number }[];
      keys: { id: string; name: string; kind: KeyKind; organizationId: string }[];
    };

export const DEFAULT_PARTICIPANTS = 5_000;
/** Less than a second of work, because pollers wait for the longest transaction. */
const ENTRIES_PER_BATCH = 2_500;

const LOCK = statement({ parameters: ['bigint'], sql: 'SELECT pg_advisory_lock($1)' });

/**
 * Loads the organizations `demo` and `rival`, in short transactions. The organizations are closed until the last
 * transaction, which opens them and creates their keys, so that an interrupted load can be recognized, removed and
 * repeated. Of concurrent loads, one works; the others wait for it.
 *
 * @throws CommandError if another organization has the slug `rival`, or `participants` is too small
 */
export async function loadDemo(url: string, options: DemoOptions = {}): Promise<DemoLoad> {
  const dataSource = await createDataSource({
    url,
    applicationName: 'startline demo',
    poolSize: 1,
  }).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await LOCK.run(runner, [LOCKS.demo]);
    return await loadLocked(runner, options);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function loadLocked(runner: QueryRunner, options: DemoOptions): Promise<DemoLoad> {
  const {
    seed = 1,
    participants = DEFAULT_PARTICIPANTS,
    today = new Date().toISOString().slice(0, 10),
  } = options;
  const maker = new RowMaker(seed, new Day(today));
  const sized = sizeCohorts(demo, 1, participants);
  const sizedRival = sizeCohorts(rival, sized.length + 1);
  const organizations = [
    demoOrganization(demo, sized, maker),
    demoOrganization(rival, sizedRival, maker),
  ] as const;
  if (!(await makeRoom(runner))) return { loaded: false };

  await inTransaction(runner, async () => {
    for (const organization of organizations) await organization.insert(runner.manager);
  });
  await prepareSession(
    runner,
    seed,
    organizations.flatMap(({ cohorts }) => cohorts),
  );
  const batches = Math.ceil(participants / ENTRIES_PER_BATCH);
  for (let batch = 0; batch < batches; batch += 1) {
    options.onProgress?.(Math.floor((participants * batch) / batches), participants);
    await inTransaction(runner, () => insertBatch(runner, batch, batches));
  }
  options.onProgress?.(participants, participants);
  await runner.query('ANALYZE');
  await inTransaction(runner, async () => {
    for (const organization of organizations)
      await open(runner.manager, organization, options.signingSecrets);
    const [{ id: organizationId, codes }] = organizations;
    if (options.secretBox)
      await insertRecentWork(runner.manager, maker, {
        organizationId,
        codes: codes.filter(({ deletedAt }) => !deletedAt),
        box: options.secretBox,
      });
  });
  const entries = [sized, sizedRival].map((cohorts) =>
    cohorts.reduce((sum, cohort) => sum + entriesOf(cohort), 0),
  );
  return {
    loaded: true,
    organizations: organizations.map(({ id, slug }, index) => ({ id, slug, entries: entries[index] ?? 0 })),
    keys: organizations.flatMap(({ keys }) =>
      keys.map(({ id, name, kind, organizationId }) => ({ id, name, kind, organizationId })),
    ),
  };
}

const FIND_DEMO = statement({
  parameters: ['text[]'],
  columns: { id: 'uuid', slug: 'text', unfinished: 'boolean' },
  sql: `
    SELECT id, slug, deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM api_keys k WHERE k.organization_id = o.id) AS unfinished
    FROM organizations o WHERE slug = ANY ($1)
  `,
});

/** Whether the demo must be loaded. Removes the rows of an interrupted load. */
async function makeRoom(runner: QueryRunner): Promise<boolean> {
  const present = await FIND_DEMO.rows(runner, [[demo.slug, rival.slug]]);
  const others = present.filter(({ unfinished }) => !unfinished);
  if (others.some(({ slug }) => slug === demo.slug)) return false;
  if (others.some(({ slug }) => slug === rival.slug)) {
    throw new CommandError(
      'REFUSED',
      `There is an organization "${rival.slug}" already, and the demo would bring another.`,
    );
  }
  for (const { id } of present.filter(({ unfinished }) => unfinished)) await wipe(runner, id);
  return true;
}

async function insertBatch(runner: QueryRunner, batch: number, batches: number): Promise<void> {
  await runner.query(BATCH_BOOKINGS, [batch, batches]);
  await runner.query(BATCH_PEOPLE);
  await runner.query('ANALYZE batch_bookings, batch_people');
  await runner.query(BATCH_ADD_ONS);
  await runner.query(BATCH_LINE_ITEMS);
  await runner.query('ANALYZE batch_add_ons, batch_line_items');
  for (const statement of INSERTS) await runner.query(statement);
}

const INSERTS = [
  INSERT_BOOKINGS,
  INSERT_LINE_ITEMS,
  INSERT_ALLOCATIONS,
  INSERT_SPENT_CREDITS,
  INSERT_TEAMS,
  INSERT_ENTRIES,
  INSERT_RACE_DAY_LOG,
  INSERT_REFERRAL_OWNERS,
  INSERT_REFERRALS,
];

async function inTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
