import { type Command, InvalidArgumentError, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { IsNull } from 'typeorm';
import {
  createKey,
  KEY_KINDS,
  type KeyKind,
  type Restrictions,
  restrictKey,
  revokeKey,
  SCOPED_ENDPOINTS,
  Tokens,
  tokenOf,
} from '#libs/access';
import { ApiKey, isId } from '#libs/database';
import { CommandError } from '../errors';
import { organizationBySlug } from '../organizations';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';

const kindNamed = (name: string): KeyKind => {
  const kind = KEY_KINDS.find((each) => each.toLowerCase() === name.toLowerCase());
  if (!kind) throw new InvalidArgumentError('It is organizer, marketplace or timing.');
  return kind;
};
const occurrences = new Option('--occurrence <id...>', 'restrict it to these event occurrences');
const endpoints = new Option(
  '--endpoint <name...>',
  `restrict it to these endpoints: ${SCOPED_ENDPOINTS.join(', ')}`,
);

const described = (key: ApiKey) => {
  const { id, organizationId, kind, name, last4, createdAt, revokedAt, lastUsedAt } = key;
  const restrictions = { eventOccurrenceIds: key.eventOccurrenceIds ?? [], endpoints: key.endpoints ?? [] };
  return { id, organizationId, kind, name, last4, ...restrictions, createdAt, lastUsedAt, revokedAt };
};
const reachOf = ({ eventOccurrenceIds, endpoints }: ApiKey) =>
  [
    ...(endpoints ? [`only ${endpoints.join(', ')}`] : []),
    ...(eventOccurrenceIds ? [`only occurrence ${eventOccurrenceIds.join(', ')}`] : []),
  ].join('; ') || 'everything';
const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? '-';
const once = (values: string[] | undefined) => values && [...new Set(values)];

async function keyById(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = isId(id) ? await manager.findOneBy(ApiKey, { id }) : null;
  if (key) return key;
  throw new CommandError('NOT_FOUND', `There is no key ${id}.`);
}

export const keyCommands: CommandGroup = (program, context) => {
  const group = program.command('key').description('the keys that callers of the API hold');
  const organization = (command: Command) =>
    command.requiredOption('--organization <slug>', 'the organization that owns it');

  organization(group.command('create'))
    .description('create a key and show its token, this once')
    .requiredOption('--name <name>', 'what people call it')
    .option('--kind <kind>', 'organizer, marketplace or timing', kindNamed, 'ORGANIZER')
    .addOption(occurrences)
    .addOption(endpoints)
    .action(
      async (options: {
        organization: string;
        name: string;
        kind: KeyKind;
        occurrence?: string[];
        endpoint?: string[];
      }) => {
        const tokens = new Tokens(context.signingSecrets());
        const { manager } = await context.dataSource();
        const { id: organizationId } = await organizationBySlug(manager, options.organization);
        const { key, token } = await createKey(manager, tokens, {
          organizationId,
          name: options.name,
          kind: options.kind,
          eventOccurrenceIds: once(options.occurrence),
          endpoints: once(options.endpoint),
        });
        context.answer(
          { ...described(key), token },
          `Key ${key.id} (${key.kind}) may reach ${reachOf(key)}. Its token, which can't be shown again:\n\n${token}`,
        );
      },
    );

  organization(group.command('list'))
    .description("list an organization's keys, without tokens")
    .action(async (options: { organization: string }) => {
      const { manager } = await context.dataSource();
      const { id: organizationId } = await organizationBySlug(manager, options.organization);
      const keys = await manager.find(ApiKey, { where: { organizationId }, order: { id: 'ASC' } });
      const text = tableOf(
        ['ID', 'NAME', 'KIND', 'ENDS IN', 'REACHES', 'CREATED', 'LAST USED', 'REVOKED'],
        keys.map((key) => [
          key.id,
          key.name,
          key.kind,
          key.last4,
          reachOf(key),
          day(key.createdAt),
          day(key.lastUsedAt),
          day(key.revokedAt),
        ]),
      );
      context.answer(keys.map(described), keys.length ? text : 'The organization has no keys.');
    });

  group
    .command('restrict <id>')
    .description('change what a restricted key is restricted to; its token stays')
    .addOption(occurrences)
    .addOption(endpoints)
    .addOption(new Option('--any-occurrence', 'lift the restriction to occurrences').conflicts('occurrence'))
    .addOption(new Option('--any-endpoint', 'lift the restriction to endpoints').conflicts('endpoint'))
    .action(
      async (
        id: string,
        options: { occurrence?: string[]; endpoint?: string[]; anyOccurrence?: true; anyEndpoint?: true },
      ) => {
        const change: Restrictions = {
          eventOccurrenceIds: options.anyOccurrence ? null : once(options.occurrence),
          endpoints: options.anyEndpoint ? null : once(options.endpoint),
        };
        if (Object.values(change).every((list) => list === undefined)) {
          throw new CommandError(
            'INVALID_COMMAND',
            'Say what to restrict the key to: --occurrence or --endpoint.',
          );
        }
        const { manager } = await context.dataSource();
        const key = await restrictKey(manager, await keyById(manager, id), change);
        context.answer(
          described(key),
          `Key ${key.id} may reach ${reachOf(key)}, within a minute everywhere.`,
        );
      },
    );

  group
    .command('revoke <id>')
    .description('end a key for good')
    .action(async (id: string) => {
      const { manager } = await context.dataSource();
      const key = await revokeKey(manager, await keyById(manager, id));
      context.answer(described(key), `Key ${key.id} is revoked, within a minute everywhere.`);
    });

  organization(group.command('token', { hidden: true }))
    .description("sign a key's token again, for npm start's greeting")
    .requiredOption('--name <name>', 'what people call it')
    .action(async (options: { organization: string; name: string }) => {
      const tokens = new Tokens(context.signingSecrets());
      const { manager } = await context.dataSource();
      const { id: organizationId } = await organizationBySlug(manager, options.organization);
      const key = await manager.findOne(ApiKey, {
        where: { organizationId, name: options.name, revokedAt: IsNull() },
        order: { id: 'DESC' },
      });
      if (!key) throw new CommandError('NOT_FOUND', `No key "${options.name}" is in force.`);
      const token = tokenOf(tokens, key);
      context.answer({ token }, token);
    });
};
