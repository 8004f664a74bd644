import { type Command, InvalidArgumentError, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { IsNull, MoreThan } from 'typeorm';
import {
  createKey,
  KEY_KINDS,
  type KeyKind,
  type Narrowing,
  permissionsOf,
  restrictKey,
  revokeKey,
  rotateKey,
  SCOPED_ENDPOINTS,
  TIMING_READS,
  Tokens,
  tokenOf,
} from '#platform/access';
import { ApiKey, isId } from '#platform/database';
import { CommandError } from '../errors';
import { tableOf } from '../table';
import { duration, fromNow } from '../when';
import type { CommandGroup } from './command-group';

const kindNamed = (name: string): KeyKind => {
  const kind = KEY_KINDS.find((each) => each.toLowerCase() === name.toLowerCase());
  if (!kind) throw new InvalidArgumentError('It must be organizer, marketplace or timing.');
  return kind;
};
const occurrences = new Option('--occurrence <id...>', 'restrict the key to these event occurrences');
const endpoints = new Option(
  '--endpoint <name...>',
  `restrict the key to these endpoints: ${SCOPED_ENDPOINTS.join(', ')}`,
);
const permissions = (effect: string) =>
  new Option(
    '--permission <name...>',
    `${effect}: ${KEY_KINDS.flatMap((kind) => permissionsOf(kind)).join(', ')}`,
  );
const reads = (effect: string) =>
  new Option(
    '--reads <what...>',
    `${effect}: ${TIMING_READS.join(', ')}, or field:<key> for the answer to a question`,
  );
const expires = new Option(
  '--expires <when>',
  'when the key expires: a duration such as 90d, or a time such as 2027-01-31T12:00:00Z',
).argParser(fromNow);

const described = (key: ApiKey) => {
  const { id, organizationId, kind, name, last4, permissions, readOnly, reads, partnerId } = key;
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  return {
    ...{ id, organizationId, kind, name, last4 },
    ...{ eventOccurrenceIds: key.eventOccurrenceIds ?? [], endpoints: key.endpoints ?? [] },
    ...{ permissions, readOnly, reads, partnerId },
    ...{ createdAt, lastUsedAt, expiresAt, revokedAt },
  };
};
const reachOf = ({ eventOccurrenceIds, endpoints, permissions, readOnly, reads, partnerId }: ApiKey) =>
  [
    ...(partnerId ? [`only partner ${partnerId}`] : []),
    ...(permissions ? [permissions.join(', ')] : []),
    ...(readOnly ? ['only reading'] : []),
    ...(endpoints ? [`only ${endpoints.join(', ')}`] : []),
    ...(eventOccurrenceIds ? [`only occurrence ${eventOccurrenceIds.join(', ')}`] : []),
    ...(reads?.length ? [`reads ${reads.join(', ')}`] : []),
  ].join('; ') || 'everything';
const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? '-';
const minute = (at: Date | null) => at?.toISOString().slice(0, 16).concat('Z') ?? '-';
const SHOWN_ONCE = 'The token is shown only once:';
const once = (values: string[] | undefined) => values && [...new Set(values)];

async function keyById(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = isId(id) ? await manager.findOneBy(ApiKey, { id }) : null;
  if (key) return key;
  throw new CommandError('NOT_FOUND', `There is no key ${id}.`);
}

export const keyCommands: CommandGroup = (program, context) => {
  const group = program.command('key').description('API keys');
  const organization = (command: Command) =>
    command.requiredOption('--organization <slug>', 'the organization');

  organization(group.command('create'))
    .description('create a key and show its token, which is shown only once')
    .requiredOption('--name <name>', 'the name of the key')
    .option('--kind <kind>', 'organizer, marketplace or timing', kindNamed, 'ORGANIZER')
    .addOption(occurrences)
    .addOption(endpoints)
    .addOption(permissions('permit only these operations'))
    .option('--read-only', 'permit only operations that change nothing')
    .addOption(reads('let a timing key read this about participants'))
    .option(
      '--partner <id>',
      'let an organizer key see only what belongs to this partner and its sub-partners',
    )
    .addOption(expires)
    .action(
      async (options: {
        organization: string;
        name: string;
        kind: KeyKind;
        occurrence?: string[];
        endpoint?: string[];
        permission?: string[];
        readOnly?: true;
        reads?: string[];
        partner?: string;
        expires?: Date;
      }) => {
        const tokens = new Tokens(context.signingSecrets());
        const { dataSource, organizationId } = await context.organizationOf(options.organization);
        const asked = {
          organizationId,
          name: options.name,
          kind: options.kind,
          eventOccurrenceIds: once(options.occurrence),
          endpoints: once(options.endpoint),
          permissions: once(options.permission),
          readOnly: options.readOnly,
          reads: once(options.reads),
          partnerId: options.partner,
          expiresAt: options.expires,
        };
        const { key, token } = await dataSource.transaction((manager) =>
          createKey(manager, tokens, asked, context.actor),
        );
        const until = key.expiresAt ? ` until ${minute(key.expiresAt)}` : '';
        context.answer(
          { ...described(key), token },
          `Key ${key.id} (${key.kind}) may access ${reachOf(key)}${until}. ${SHOWN_ONCE}\n\n${token}`,
        );
      },
    );

  organization(group.command('list'))
    .description("list an organization's keys, without tokens")
    .action(async (options: { organization: string }) => {
      const { manager, organizationId } = await context.organizationOf(options.organization);
      const keys = await manager.find(ApiKey, { where: { organizationId }, order: { id: 'ASC' } });
      const text = tableOf(
        ['ID', 'NAME', 'KIND', 'ENDS IN', 'REACHES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
        keys.map((key) => [
          key.id,
          key.name,
          key.kind,
          key.last4,
          reachOf(key),
          day(key.createdAt),
          minute(key.lastUsedAt),
          minute(key.expiresAt),
          minute(key.revokedAt),
        ]),
      );
      context.answer(keys.map(described), keys.length ? text : 'The organization has no keys.');
    });

  group
    .command('restrict <id>')
    .description(
      'narrow the permissions of a key, or change the restrictions of a restricted key; its token does not change',
    )
    .addOption(permissions('keep only these permissions of the key'))
    .addOption(reads('keep only this of what a timing key reads'))
    .addOption(occurrences)
    .addOption(endpoints)
    .addOption(
      new Option('--any-occurrence', 'remove the restriction to occurrences').conflicts('occurrence'),
    )
    .addOption(new Option('--any-endpoint', 'remove the restriction to endpoints').conflicts('endpoint'))
    .action(
      async (
        id: string,
        options: {
          permission?: string[];
          reads?: string[];
          occurrence?: string[];
          endpoint?: string[];
          anyOccurrence?: true;
          anyEndpoint?: true;
        },
      ) => {
        const change: Narrowing = {
          permissions: once(options.permission),
          reads: once(options.reads),
          eventOccurrenceIds: options.anyOccurrence ? null : once(options.occurrence),
          endpoints: options.anyEndpoint ? null : once(options.endpoint),
        };
        if (Object.values(change).every((list) => list === undefined)) {
          throw new CommandError(
            'INVALID_COMMAND',
            'Specify a change: --permission, --reads, --occurrence, --endpoint, --any-occurrence or --any-endpoint.',
          );
        }
        const dataSource = await context.dataSourceHolding(ApiKey, id);
        const key = await dataSource.transaction(async (manager) =>
          restrictKey(manager, await keyById(manager, id), change, context.actor),
        );
        context.answer(
          described(key),
          `Key ${key.id} may access ${reachOf(key)}. The change takes effect everywhere within a minute.`,
        );
      },
    );

  group
    .command('rotate <id>')
    .description(
      'replace a key with a new one that has the same rights; the old key expires after the overlap',
    )
    .option('--overlap <duration>', 'how long the old key continues to work', duration, 24 * 3_600_000)
    .addOption(expires.conflicts('neverExpires'))
    .option('--never-expires', 'the new key does not expire, although the old one does')
    .action(async (id: string, options: { overlap: number; expires?: Date; neverExpires?: true }) => {
      const tokens = new Tokens(context.signingSecrets());
      const dataSource = await context.dataSourceHolding(ApiKey, id);
      const { key, token, replaced } = await dataSource.transaction(async (manager) =>
        rotateKey(
          manager,
          tokens,
          await keyById(manager, id),
          { overlapMs: options.overlap, expiresAt: options.neverExpires ? null : options.expires },
          context.actor,
        ),
      );
      context.answer(
        { ...described(key), token, replaced: described(replaced) },
        `Key ${key.id} replaces ${id}, which works until ${minute(replaced.expiresAt)}. ${SHOWN_ONCE}\n\n${token}`,
      );
    });

  group
    .command('revoke <id>')
    .description('revoke a key permanently')
    .action(async (id: string) => {
      const dataSource = await context.dataSourceHolding(ApiKey, id);
      const key = await dataSource.transaction(async (manager) =>
        revokeKey(manager, await keyById(manager, id), context.actor),
      );
      context.answer(
        described(key),
        `Key ${key.id} is revoked. The change takes effect everywhere within a minute.`,
      );
    });

  organization(group.command('token'))
    .description("sign a key's token again, with the first of SIGNING_SECRETS")
    .requiredOption('--name <name>', 'the name of the key')
    .action(async (options: { organization: string; name: string }) => {
      const tokens = new Tokens(context.signingSecrets());
      const { manager, organizationId } = await context.organizationOf(options.organization);
      const key = await manager.findOne(ApiKey, {
        where: [IsNull(), MoreThan(new Date())].map((expiresAt) => ({
          ...{ organizationId, name: options.name, revokedAt: IsNull(), expiresAt },
        })),
        order: { id: 'DESC' },
      });
      if (!key) throw new CommandError('NOT_FOUND', `There is no valid key "${options.name}".`);
      const token = tokenOf(tokens, key);
      context.answer({ token }, token);
    });
};
