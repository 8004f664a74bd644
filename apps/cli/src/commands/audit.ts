import { InvalidArgumentError } from 'commander';
import { listAudit } from '#platform/access';
import { tableOf } from '../table';
import { ago } from '../when';
import type { CommandGroup } from './command-group';

const MOST = 10_000;

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MOST) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  }
  return value;
};

export const auditCommands: CommandGroup = (program, context) => {
  const group = program.command('audit').description('who changed what, and when');

  group
    .command('list')
    .description("list an organization's audit log, newest first")
    .requiredOption('--organization <slug>', 'the organization')
    .option('--action <name>', 'only this action, such as key.revoke; "key" selects every action on keys')
    .option('--object <id>', 'only changes to this key, participant or other object')
    .option('--actor <id>', 'only changes by this actor: a user name, or the id of a key or staff member')
    .option(
      '--since <when>',
      'only changes since then: a duration such as 7d, or a time such as 2027-01-31T12:00:00Z',
      ago,
    )
    .option('--until <when>', 'as above', ago)
    .option('--limit <n>', 'how many', count, 100)
    .action(
      async (options: {
        organization: string;
        action?: string;
        object?: string;
        actor?: string;
        since?: Date;
        until?: Date;
        limit: number;
      }) => {
        const { manager, organizationId } = await context.organizationOf(options.organization);
        const { action, object: objectId, actor: actorId, since, until, limit } = options;
        const filter = { organizationId, action, objectId, actorId, since, until, limit };
        const records = await listAudit(manager, filter);
        const text = tableOf(
          ['AT', 'WHO', 'FROM', 'ACTION', 'OBJECT', 'DETAILS'],
          records.map((each) => [
            each.at.toISOString(),
            each.actorId ?? each.actorType,
            each.origin ?? '-',
            each.action,
            each.objectId ?? '-',
            JSON.stringify(each.details),
          ]),
        );
        context.answer(records, records.length ? text : 'No record of the audit log matches.');
      },
    );
};
