import { InvalidArgumentError } from 'commander';
import { listAudit } from '#libs/audit';
import { organizationBySlug } from '../organizations';
import { tableOf } from '../table';
import { ago } from '../when';
import type { CommandGroup } from './command-group';

const MOST = 10_000;

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MOST) {
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST}.`);
  }
  return value;
};

export const auditCommands: CommandGroup = (program, context) => {
  const group = program.command('audit').description('who changed what, and when');

  group
    .command('list')
    .description("list an organization's audit log, newest first")
    .requiredOption('--organization <slug>', 'the organization that it concerns')
    .option('--action <name>', 'an action such as key.revoke, or key for every action on keys')
    .option('--object <id>', 'the key, participant or other object that was changed')
    .option('--actor <id>', 'who changed it: a user name, or the id of a key or staff member')
    .option('--since <when>', 'a duration such as 7d, or a time such as 2027-01-31T12:00:00Z', ago)
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
        const { manager } = await context.dataSource();
        const { id: organizationId } = await organizationBySlug(manager, options.organization);
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
        context.answer(records, records.length ? text : 'The audit log has no such record.');
      },
    );
};
