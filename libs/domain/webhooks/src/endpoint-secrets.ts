import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import type { Actor } from '#platform/access';
import { updateGiven, WebhookEndpoint } from '#platform/database';
import { auditEndpoint, type EndpointName, lockEndpoint } from './endpoints';
import { newSecret, placeOf, type SecretBox } from './secrets';

const ROTATION_HOURS = 24;

/**
 * Gives an endpoint a new secret. For 24 hours the previous one signs as well. Call it in a transaction.
 *
 * @returns the secret, which cannot be read again; undefined if the endpoint does not exist
 */
export async function rotateSecret(
  manager: EntityManager,
  box: SecretBox,
  { organizationId, id }: EndpointName,
  by: Actor,
): Promise<string | undefined> {
  const endpoint = await lockEndpoint(manager, { organizationId, id });
  if (!endpoint) return undefined;
  const secret = newSecret();
  await updateGiven(
    manager,
    WebhookEndpoint,
    { organizationId, id },
    {
      secret: box.seal(secret, placeOf(organizationId, id)),
      previousSecret: endpoint.secret,
      previousSecretUntil: () => `clock_timestamp() + interval '${ROTATION_HOURS} hours'`,
      changedAt: () => 'clock_timestamp()',
    },
  );
  await auditEndpoint(manager, by, 'webhook_endpoint.rotate_secret', { organizationId, id });
  return secret;
}

/**
 * Encrypts secrets again that are not encrypted with the first key of WEBHOOK_SECRETS_KEY.
 *
 * @returns the number of such endpoints, and the ids of those whose secrets no key can decrypt, which stay
 */
export async function reencryptSecrets(
  dataSource: DataSource,
  box: SecretBox,
): Promise<{ endpoints: number; unreadable: string[] }> {
  const all = await dataSource.manager.find(WebhookEndpoint, { where: { deletedAt: IsNull() } });
  const stale = all.filter(
    ({ secret, previousSecret }) =>
      !box.isCurrent(secret) || (previousSecret && !box.isCurrent(previousSecret)),
  );
  const unreadable: string[] = [];
  for (const { organizationId, id } of stale) {
    await dataSource.transaction(async (transaction) => {
      const endpoint = await lockEndpoint(transaction, { organizationId, id });
      if (!endpoint) return;
      const { secret, previousSecret } = endpoint;
      const place = placeOf(organizationId, id);
      const anew = (sealed: string) => box.seal(box.open(sealed, place), place);
      let sealed: Pick<WebhookEndpoint, 'secret' | 'previousSecret'>;
      try {
        sealed = { secret: anew(secret), previousSecret: previousSecret && anew(previousSecret) };
      } catch {
        unreadable.push(id);
        return;
      }
      await updateGiven(transaction, WebhookEndpoint, { organizationId, id }, sealed);
    });
  }
  return { endpoints: stale.length - unreadable.length, unreadable };
}
