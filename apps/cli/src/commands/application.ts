import { type Decision, decideApplication } from '#libs/start-list';
import { CommandError } from '../errors';
import type { CommandGroup } from './command-group';

const DECISIONS: { name: string; decision: Decision; description: string; done: string }[] = [
  {
    name: 'approve',
    decision: 'APPROVE',
    description: 'approve it; its entry becomes a participant',
    done: 'approved',
  },
  { name: 'reject', decision: 'REJECT', description: 'reject it', done: 'rejected' },
  {
    name: 'withdraw',
    decision: 'WITHDRAW',
    description: 'withdraw it on behalf of the applicant',
    done: 'withdrawn',
  },
];

export const applicationCommands: CommandGroup = (program, context) => {
  const group = program.command('application').description('pending applications');
  for (const { name, decision, description, done } of DECISIONS) {
    group
      .command(`${name} <id>`)
      .description(`decide a pending application: ${description}`)
      .option('--reason <text>', "shown in the application's statusDetails")
      .action(async (id: string, { reason }: { reason?: string }) => {
        const dataSource = await context.dataSource();
        const result = await dataSource.transaction((manager) =>
          decideApplication(manager, id, decision, reason),
        );
        switch (result.outcome) {
          case 'MISSING':
            throw new CommandError('NOT_FOUND', `There is no application ${id}.`);
          case 'DECIDED':
            throw new CommandError(
              'NOT_PENDING',
              `Application ${id} is ${result.approvalStatus}: only a pending one can be ${done}.`,
            );
          case 'CANCELLED':
            throw new CommandError('CANCELLED', `The booking of application ${id} is cancelled.`);
        }
        const { applicationId, participantId, approvalStatus } = result;
        context.answer(
          { applicationId, participantId, approvalStatus },
          `Application ${id} is ${done}.${approvalStatus === 'APPROVED' ? ` Participant: ${participantId}` : ''}`,
        );
      });
  }
};
