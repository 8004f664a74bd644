import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { createKey, type KeyKind, Tokens } from '#libs/access';
import { createDataSource, newId, Organization } from '#libs/database';
import { ASKING_SLUG } from './entries';
import { Program } from './processes';

const ROOT = resolve(__dirname, '../..');
const SECRETS = [{ kid: 'bench', secret: randomBytes(32).toString('hex') }];
/** The widest there are: what is measured is the counting, not the refusing. */
const RATES = ['IMPORT', 'REGISTRATION_STATUS', 'TIMING', 'WIDE'].map((name) => [`RATE_${name}`, '10000000']);

/** For tokens that a side other than ours verifies. */
export const SECRET = SECRETS[0]?.secret as string;

/** Our api as it runs in production, with all that it does for each request, its log lines too. */
export const startApi = (url: string, more: Record<string, string> = {}): Promise<Program> =>
  Program.start('api', [resolve(ROOT, 'dist/apps/api/src/main.js')], {
    DATABASE_URL: url,
    SIGNING_SECRETS: SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    ...Object.fromEntries(RATES),
    ...more,
  });

export const startWorker = (
  url: string,
  metricsPort: number,
  more: Record<string, string> = {},
): Promise<Program> =>
  Program.start('worker', [resolve(ROOT, 'dist/apps/worker/src/main.js')], {
    DATABASE_URL: url,
    METRICS_PORT: String(metricsPort),
    SIGNING_SECRETS: SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    ...more,
  });

export async function withDataSource<T>(
  url: string,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await createDataSource({ url, applicationName: 'bench' }).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Who asks. */
export interface Asking {
  organizationId: string;
  token: string;
  headers: Record<string, string>;
}

/** A new key of the organization that asks. */
export async function asking(
  dataSource: DataSource,
  kind: KeyKind = 'ORGANIZER',
  organizationId?: string,
): Promise<Asking> {
  const of =
    organizationId ??
    (await dataSource.getRepository(Organization).findOneByOrFail({ slug: ASKING_SLUG })).id;
  const tokens = new Tokens(SECRETS);
  const { token } = await createKey(
    dataSource.manager,
    tokens,
    { organizationId: of, kind, name: `bench ${newId()}` },
    { type: 'SYSTEM', id: null, origin: null },
  );
  return { organizationId: of, token, headers: { authorization: `Bearer ${token}` } };
}
