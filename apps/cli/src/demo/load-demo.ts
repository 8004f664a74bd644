import type { DataSource, EntityManager } from 'typeorm';
import { closeOrganization, createOrganization, reopenOrganization } from '#domain/catalogue';
import { SURFACES } from '#domain/imports';
import { ChangeFeeds, type SecretBox } from '#domain/webhooks';
import { type Actor, createKey, type KeyKind, type SigningSecret, Tokens } from '#platform/access';
import {
  ApiKey,
  Booking,
  createDataSource,
  Database,
  LOCKS,
  Organization,
  OrganizationSurface,
  statement,
} from '#platform/database';
import { CommandError } from '../errors';
import { doRaceDayWork } from '../race-day-work';
import { BookingMaker, type DemoBooking } from './bookings';
import { loadDemoCatalogue } from './catalogue';
import { type Cohort, type DemoContent, demo, rival } from './content';
import { RowImporter } from './import-rows';
import { loadCohorts } from './load-cohorts';
import { addRecentWork } from './recent-work';

export interface DemoOptions {
  signingSecrets: SigningSecret[];
  /** Start list entries of the organization `demo`. */
  participants?: number;
  /** The same seed makes the same people. */
  seed?: number;
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
const RIVAL_PARTICIPANTS = 300;
/** About 100 ms of work, because pollers wait for the longest transaction. */
const ENTRIES_PER_BATCH = 500;

const ACTOR: Actor = { type: 'COMMAND_LINE', id: 'demo', origin: null };

const LOCK = statement({ parameters: ['bigint'], sql: 'SELECT pg_advisory_lock($1)' });

/**
 * Loads the organizations `demo` and `rival`, in short transactions, by what loads catalogues and imports bookings. The
 * organizations are closed and have no surfaces until the last transaction: an interrupted load is continued by the next. Of
 * concurrent loads, one works; the others wait for it.
 *
 * @throws CommandError if another organization has the slug `rival`, or `participants` is too small
 */
export async function loadDemo(url: string, options: DemoOptions): Promise<DemoLoad> {
  const dataSource = await createDataSource({
    url,
    applicationName: 'startline demo',
    poolSize: 2,
  }).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await LOCK.run(lock, [LOCKS.demo]);
    return await loadLocked(dataSource, options);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}

async function loadLocked(dataSource: DataSource, options: DemoOptions): Promise<DemoLoad> {
  const { participants = DEFAULT_PARTICIPANTS, seed = 1, onProgress = () => {} } = options;
  const least = entriesOf(demo.cohorts);
  if (participants < least) throw new CommandError('REFUSED', `The demo has at least ${least} participants.`);
  const tokens = new Tokens(options.signingSecrets);
  const begun = await beginOrUndefined(dataSource, tokens);
  if (!begun) return { loaded: false };
  const [own, other] = begun;
  await load(dataSource, { ...other, entries: RIVAL_PARTICIPANTS, seed });
  await load(dataSource, { ...own, entries: participants, seed, onProgress });
  await finish(dataSource, begun, options.secretBox);
  return {
    loaded: true,
    organizations: [
      { ...named(own), entries: participants },
      { ...named(other), entries: RIVAL_PARTICIPANTS },
    ],
    keys: begun.flatMap(({ keys }) =>
      keys.map(({ id, name, kind, organizationId }) => ({ id, name, kind, organizationId })),
    ),
  };
}

const named = ({ organization: { id, slug } }: Begun) => ({ id, slug });

const entriesOf = (cohorts: Cohort[]): number => cohorts.reduce((sum, { entries }) => sum + entries, 0);

/** An organization of the demo that is not complete yet. */
interface Begun {
  content: DemoContent;
  organization: Organization;
  keys: ApiKey[];
}

/** Makes the organizations, or finds those of an interrupted load; `undefined` if a load has ended. */
async function beginOrUndefined(dataSource: DataSource, tokens: Tokens): Promise<[Begun, Begun] | undefined> {
  return dataSource.transaction(async (manager) => {
    const find = async (content: DemoContent): Promise<Begun | 'complete' | undefined> => {
      const organization = await manager.findOneBy(Organization, { slug: content.slug });
      if (!organization) return undefined;
      const { id: organizationId, deletedAt } = organization;
      if (!deletedAt || (await manager.existsBy(OrganizationSurface, { organizationId }))) return 'complete';
      return { content, organization, keys: await manager.findBy(ApiKey, { organizationId }) };
    };
    const [own, other] = [await find(demo), await find(rival)];
    if (own === 'complete') return undefined;
    if (other === 'complete')
      throw new CommandError(
        'REFUSED',
        `There is an organization "${rival.slug}" already, and the demo would bring another.`,
      );
    return [own ?? (await begin(manager, demo, tokens)), other ?? (await begin(manager, rival, tokens))];
  });
}

async function begin(manager: EntityManager, content: DemoContent, tokens: Tokens): Promise<Begun> {
  const { slug, name, website } = content;
  const logoUrl = `https://images.startline.example/${slug}/logo.svg`;
  const organization = await createOrganization(
    manager,
    { slug, name, website, logoUrl, sandbox: true },
    ACTOR,
  );
  const { id: organizationId } = organization;
  await closeOrganization(manager, organizationId, ACTOR);
  const keys: ApiKey[] = [];
  for (const key of content.keys)
    keys.push((await createKey(manager, tokens, { organizationId, ...key }, ACTOR)).key);
  return { content, organization, keys };
}

interface Load extends Begun {
  entries: number;
  seed: number;
  onProgress?: DemoOptions['onProgress'];
}

/** Loads catalogue and bookings. What an interrupted load has made does not change. */
async function load(
  dataSource: DataSource,
  { content, organization, keys, entries, seed, onProgress = () => {} }: Load,
): Promise<void> {
  const { id: organizationId, slug } = organization;
  const today = organization.createdAt.toISOString().slice(0, 10);
  const catalogue = await loadDemoCatalogue(dataSource, organizationId, content.catalogue, today);
  const maker = new BookingMaker(catalogue, slug, seed, today);
  const cohorts = content.cohorts.filter(({ group }) => !group).map((cohort) => maker.ofCohort(cohort));
  onProgress(0, entries);
  if (!(await dataSource.manager.existsBy(Booking, { organizationId })))
    await dataSource.transaction((manager) =>
      loadCohorts(new RowImporter(manager, organizationId), cohorts, {
        ...{ content, catalogue, today, seed, actor: ACTOR },
        keys: new Map(keys.map(({ kind, id }) => [kind, id])),
      }),
    );
  await doRaceDayWork(dataSource, organizationId);

  let done = entriesOf(content.cohorts);
  let batch: DemoBooking['row'][] = [];
  let size = 0;
  for (const { row } of maker.ofCrowds(content.crowds, entries - done)) {
    batch.push(row);
    size += row.participants.length;
    if (size < ENTRIES_PER_BATCH && done + size < entries) continue;
    const rows = batch;
    await dataSource.transaction((manager) => new RowImporter(manager, organizationId).startList(rows));
    done += size;
    onProgress(done, entries);
    [batch, size] = [[], 0];
  }
}

/** Opens the organizations. */
async function finish(dataSource: DataSource, begun: [Begun, Begun], box?: SecretBox): Promise<void> {
  const [{ organization, keys }] = begun;
  const keyId = keys.find(({ kind }) => kind === 'ORGANIZER')?.id;
  if (box) await new ChangeFeeds(new Database(dataSource)).switchOn(organization.id);
  await dataSource.transaction(async (manager) => {
    for (const {
      organization: { id: organizationId },
    } of begun) {
      await manager.insert(
        OrganizationSurface,
        SURFACES.map((surface) => ({ organizationId, surface })),
      );
      await reopenOrganization(manager, organizationId, ACTOR);
    }
    if (box && keyId) await addRecentWork(manager, { organizationId: organization.id, keyId, box }, ACTOR);
  });
}
