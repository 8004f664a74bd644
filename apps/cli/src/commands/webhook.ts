import { type Command, InvalidArgumentError, Option } from 'commander';
import { type EntityManager, In, IsNull } from 'typeorm';
import {
  CHANGE_EVENT_TYPE_NAMES,
  type ChangeEventTypeName,
  ChangeFeeds,
  createEndpoint,
  deleteEndpoint,
  pingEndpoint,
  reencryptSecrets,
  retryDelivery,
  retryFailed,
  rotateSecret,
  SecretBox,
  updateEndpoint,
} from '#domain/webhooks';
import {
  Database,
  DELIVERY_STATES,
  isId,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from '#platform/database';
import { instantOf } from '#platform/validation';
import type { Context } from '../context';
import { CommandError } from '../errors';
import { organizationBySlug } from '../organizations';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';

const typeNamed = (name: string, earlier: ChangeEventTypeName[] = []): ChangeEventTypeName[] => {
  const type = CHANGE_EVENT_TYPE_NAMES.find((each) => each === name);
  if (!type) throw new InvalidArgumentError(`It must be one of ${CHANGE_EVENT_TYPE_NAMES.join(', ')}.`);
  return [...earlier, type];
};
const momentOf = (text: string): string => {
  const moment = instantOf(text);
  if (!moment)
    throw new InvalidArgumentError('It must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z.');
  return moment;
};

interface Fields {
  url?: string;
  type?: ChangeEventTypeName[];
  occurrence?: string[];
  anyOccurrence?: true;
  description?: string;
  enable?: true;
  disable?: true;
}

const fieldsOf = ({ url, type, occurrence, anyOccurrence, description, enable, disable }: Fields) => ({
  ...(url !== undefined && { url }),
  ...(type && { types: type }),
  ...(occurrence && { eventOccurrenceIds: occurrence }),
  ...(anyOccurrence && { eventOccurrenceIds: null }),
  ...(description !== undefined && { description }),
  ...((enable || disable) && { enabled: enable === true }),
});

const described = (endpoint: WebhookEndpoint) => {
  const { id, organizationId, url, types, eventOccurrenceIds, description } = endpoint;
  const { disabledAt, disabledReason, failingSince, createdAt, changedAt: updatedAt } = endpoint;
  const { behindAt: behindSince, missedUntil } = endpoint;
  const enabled = disabledAt === null;
  const state = { enabled, disabledReason, disabledAt, failingSince, behindSince, missedUntil };
  return { id, organizationId, url, types, eventOccurrenceIds, description, ...state, createdAt, updatedAt };
};
const stateOf = ({ disabledReason, failingSince }: WebhookEndpoint) =>
  disabledReason
    ? `disabled: ${disabledReason}`
    : failingSince
      ? `failing since ${failingSince.toISOString()}`
      : 'enabled';

const rulesOf = (context: Context) => {
  const { WEBHOOK_ALLOW_HTTP, WEBHOOK_ALLOWED_NETWORKS, WEBHOOK_ENDPOINTS_LIMIT } = context.settings();
  return {
    allowHttp: WEBHOOK_ALLOW_HTTP,
    allowedNetworks: WEBHOOK_ALLOWED_NETWORKS,
    most: WEBHOOK_ENDPOINTS_LIMIT,
  };
};

function boxOf(context: Context): SecretBox {
  const { WEBHOOK_SECRETS_KEY: keys } = context.settings();
  if (!keys)
    throw new CommandError(
      'NO_WEBHOOK_SECRETS_KEY',
      'Set WEBHOOK_SECRETS_KEY to the same value as for the api and the worker.',
    );
  return new SecretBox(keys);
}

async function endpointById(manager: EntityManager, id: string): Promise<WebhookEndpoint> {
  const endpoint = isId(id) ? await manager.findOneBy(WebhookEndpoint, { id, deletedAt: IsNull() }) : null;
  if (endpoint) return endpoint;
  throw new CommandError(
    'NOT_FOUND',
    `There is no webhook endpoint ${id}. To list webhook endpoints, run "webhook-endpoint list".`,
  );
}

/** Webhook endpoints and deliveries: the same commands as `/v0/webhook-endpoints` and `/v0/webhook-deliveries`. */
export const webhookCommands: CommandGroup = (program, context) => {
  endpointCommands(program, context);
  deliveryCommands(program, context);
};

function endpointCommands(program: Command, context: Context): void {
  const group = program.command('webhook-endpoint').description('endpoints that receive change events');
  const withFields = (command: Command) =>
    command
      .option('--occurrence <id...>', 'only events of these event occurrences')
      .option('--description <text>', 'a description of the endpoint');

  withFields(group.command('create'))
    .description('add an endpoint and show its secret, which is shown only once')
    .requiredOption('--organization <slug>', 'the organization')
    .requiredOption('--url <url>', 'the URL that deliveries are sent to')
    .requiredOption('--type <name>', 'a type of events to deliver; may be repeated', typeNamed)
    .action(async (options: Fields & { organization: string; url: string; type: ChangeEventTypeName[] }) => {
      const { dataSource, organizationId } = await context.organizationOf(options.organization);
      const [box, rules] = [boxOf(context), rulesOf(context)];
      await new ChangeFeeds(new Database(dataSource)).switchOn(organizationId);
      const fields = { organizationId, url: options.url, types: options.type, ...fieldsOf(options) };
      const made = await dataSource.transaction((manager) =>
        createEndpoint(manager, box, rules, fields, context.actor),
      );
      const endpoint = await endpointById(dataSource.manager, made.id);
      context.answer(
        { ...described(endpoint), secret: made.secret },
        `Created endpoint ${made.id}. The secret is shown only once:\n\n${made.secret}`,
      );
    });

  group
    .command('list')
    .description("list an organization's endpoints, without secrets")
    .requiredOption('--organization <slug>', 'the organization')
    .action(async (options: { organization: string }) => {
      const { manager, organizationId } = await context.organizationOf(options.organization);
      const where = { organizationId, deletedAt: IsNull() };
      const endpoints = await manager.find(WebhookEndpoint, { where, order: { createdAt: 'ASC' } });
      const rows = endpoints.map((each) => [each.id, each.url, each.types.join(', '), stateOf(each)]);
      const text = tableOf(['ID', 'URL', 'TYPES', 'STATE'], rows);
      context.answer(
        endpoints.map(described),
        rows.length ? text : 'The organization has no webhook endpoints.',
      );
    });

  withFields(group.command('update <id>'))
    .description('change an endpoint, enable or disable it')
    .option('--url <url>', 'the URL that deliveries are sent to')
    .option('--type <name>', 'a type of events to deliver; may be repeated', typeNamed)
    .addOption(new Option('--any-occurrence', 'events of all event occurrences').conflicts('occurrence'))
    .option('--enable', 'enable deliveries')
    .addOption(new Option('--disable', 'disable deliveries').conflicts('enable'))
    .action(async (id: string, options: Fields) => {
      const dataSource = await context.dataSourceHolding(WebhookEndpoint, id);
      const { organizationId } = await endpointById(dataSource.manager, id);
      const rules = rulesOf(context);
      await dataSource.transaction((manager) =>
        updateEndpoint(manager, rules, { organizationId, id }, fieldsOf(options), context.actor),
      );
      const endpoint = await endpointById(dataSource.manager, id);
      context.answer(described(endpoint), `Endpoint ${id}: ${endpoint.url}, ${stateOf(endpoint)}.`);
    });

  group
    .command('delete <id>')
    .description('delete an endpoint; its deliveries end')
    .action(async (id: string) => {
      const dataSource = await context.dataSourceHolding(WebhookEndpoint, id);
      const { organizationId } = await endpointById(dataSource.manager, id);
      await dataSource.transaction((manager) =>
        deleteEndpoint(manager, { organizationId, id }, context.actor),
      );
      context.answer({ id }, `Endpoint ${id} is deleted.`);
    });

  group
    .command('rotate-secret <id>')
    .description('create a new secret and show it once; the old secret also signs for another 24 hours')
    .action(async (id: string) => {
      const dataSource = await context.dataSourceHolding(WebhookEndpoint, id);
      const { organizationId } = await endpointById(dataSource.manager, id);
      const box = boxOf(context);
      const secret = await dataSource.transaction((manager) =>
        rotateSecret(manager, box, { organizationId, id }, context.actor),
      );
      context.answer({ id, secret }, `The new secret is shown only once:\n\n${secret}`);
    });

  group
    .command('ping <id>')
    .description('send a test event')
    .action(async (id: string) => {
      const dataSource = await context.dataSourceHolding(WebhookEndpoint, id);
      const { organizationId } = await endpointById(dataSource.manager, id);
      const deliveryId = await dataSource.transaction((manager) =>
        pingEndpoint(manager, { organizationId, id }, context.settings().WEBHOOK_BACKLOG_LIMIT),
      );
      context.answer({ deliveryId }, `Delivery ${deliveryId} is queued.`);
    });

  group
    .command('reencrypt')
    .description('encrypt all secrets again, with the first key of WEBHOOK_SECRETS_KEY')
    .action(async () => {
      const report = await reencryptSecrets(await context.dataSource(), boxOf(context));
      const { endpoints, unreadable } = report;
      const done = `Encrypted the secrets of ${endpoints} endpoints again.`;
      if (unreadable.length > 0)
        throw new CommandError(
          'REFUSED',
          `${done} No key of WEBHOOK_SECRETS_KEY decrypts those of ${unreadable.join(', ')}: add the former pair and run the command again, or give them new secrets (webhook-endpoint rotate-secret).`,
          report,
        );
      context.answer({ endpoints }, done);
    });
}

function deliveryCommands(program: Command, context: Context): void {
  const group = program.command('webhook-delivery').description('deliveries of change events to endpoints');

  group
    .command('list')
    .description('list the newest deliveries to an endpoint, with their attempts')
    .requiredOption('--endpoint <id>', 'the endpoint')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices([...DELIVERY_STATES]))
    .action(async (options: { endpoint: string; state?: WebhookDelivery['state'] }) => {
      const { manager } = await context.dataSourceHolding(WebhookEndpoint, options.endpoint);
      const { organizationId, id: endpointId } = await endpointById(manager, options.endpoint);
      const deliveries = await manager.find(WebhookDelivery, {
        where: { organizationId, endpointId, ...(options.state && { state: options.state }) },
        order: { createdAt: 'DESC' },
        take: 50,
      });
      const ids = deliveries.map(({ id }) => id);
      const attempts = await manager.find(WebhookAttempt, {
        where: { organizationId, deliveryId: In(ids) },
        order: { attemptedAt: 'ASC' },
      });
      const answers = deliveries.map((delivery) => ({
        ...delivery,
        attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
      }));
      const rows = answers.map(({ id, type, state, createdAt, attempts }) => {
        const last = attempts.at(-1);
        return [
          id,
          type,
          state,
          createdAt.toISOString(),
          String(attempts.length),
          String(last?.status ?? last?.error ?? '-'),
        ];
      });
      const text = tableOf(['ID', 'TYPE', 'STATE', 'CREATED', 'ATTEMPTS', 'LAST'], rows);
      context.answer(answers, rows.length ? text : 'No delivery matches.');
    });

  group
    .command('retry <id>')
    .description('send a delivery again')
    .action(async (id: string) => {
      const { manager } = await context.dataSourceHolding(WebhookDelivery, id);
      const delivery = isId(id) ? await manager.findOneBy(WebhookDelivery, { id }) : null;
      const done =
        delivery && (await retryDelivery(manager, { organizationId: delivery.organizationId, id }));
      if (!done)
        throw new CommandError(
          'NOT_FOUND',
          `There is no delivery ${id}, or its event was deleted after its retention period.`,
        );
      context.answer({ id }, `Delivery ${id} is queued again.`);
    });

  group
    .command('retry-failed')
    .description('send failed deliveries again, for events since a point in time')
    .requiredOption('--organization <slug>', 'the organization')
    .requiredOption('--since <moment>', 'an ISO 8601 date-time', momentOf)
    .option('--endpoint <id>', 'deliveries to this endpoint only')
    .action(async (options: { organization: string; since: string; endpoint?: string }) => {
      const dataSource = await context.dataSourceOf(options.organization);
      const { manager } = dataSource;
      const { id: organizationId } = await organizationBySlug(manager, options.organization);
      const endpointId = options.endpoint && (await endpointById(manager, options.endpoint)).id;
      const deliveries = await retryFailed((batch) => dataSource.transaction(batch), {
        organizationId,
        since: options.since,
        endpointId,
      });
      context.answer({ deliveries }, `${deliveries} deliveries are queued again.`);
    });
}
