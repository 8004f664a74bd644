import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { SURFACES } from '#domain/imports';
import { type KeyKind, type Surface, Tokens } from '#platform/access';
import { ApiKey, newId, Organization, OrganizationSurface } from '#platform/database';
import { besideOf } from './nodes';

/** A valid secret, the same for all processes of a test. */
export const SIGNING_SECRETS = [
  { kid: 'test', secret: createHash('sha256').update('startline tests').digest('hex') },
];

let serial = 0;
/** A number that is unique per factory call. */
export const next = (): number => ++serial;

/** An organization with every surface enabled by default. */
export async function organization(
  dataSource: DataSource,
  { surfaces = SURFACES, ...given }: Partial<Organization> & { surfaces?: readonly Surface[] } = {},
): Promise<Organization> {
  const { home, id } = await besideOf(dataSource);
  const row = { id, slug: `organization-${id.slice(-12)}`, name: `Organization ${next()}`, ...given };
  await home.getRepository(Organization).insert(row);
  await dataSource
    .getRepository(OrganizationSurface)
    .insert(surfaces.map((surface) => ({ organizationId: row.id, surface })));
  return dataSource.getRepository(Organization).findOneByOrFail({ id: row.id });
}

/** The row and the token of a key. */
export async function key(
  dataSource: DataSource,
  { organizationId, ...given }: Partial<ApiKey> & { organizationId: string },
): Promise<{ id: string; token: string }> {
  const id = given.id ?? newId();
  const kind: KeyKind = given.kind ?? 'ORGANIZER';
  await dataSource.getRepository(ApiKey).insert({
    organizationId,
    kind,
    name: `Key ${next()}`,
    last4: 'test',
    ...given,
    id,
  });
  const token = new Tokens(SIGNING_SECRETS).sign({ sub: organizationId, jti: id, kind, iat: 1_700_000_000 });
  return { id, token };
}
