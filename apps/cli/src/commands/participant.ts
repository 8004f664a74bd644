import { findEntry, type Redaction } from '#domain/participants';
import { historyOf, tellHistory } from '#domain/race-day';
import { isId, StartListEntry } from '#platform/database';
import { CommandError } from '../errors';
import { workOn } from '../person-work';
import type { CommandGroup } from './command-group';

export const participantCommands: CommandGroup = (program, context) => {
  const group = program.command('participant').description('participants and applicants');

  group
    .command('redact <id>')
    .description(
      'delete personal data permanently and keep the entry; <id> is a participant or an application',
    )
    .action(async (id: string) => {
      const dataSource = await context.dataSourceHolding(StartListEntry, id);
      const entry = await findEntry(dataSource.manager, id);
      if (!entry) throw new CommandError('NOT_FOUND', `There is no participant or application ${id}.`);
      const { result: redaction } = await workOn<Redaction>(context, dataSource, entry.organizationId, {
        ...{ kind: 'REDACT', entryId: id },
      });
      const { changed, bookerRedacted, importRows, importRowsAhead, raceDayMessages, credits } = redaction;
      if (importRowsAhead > 0) {
        context.note(
          `${importRowsAhead} import rows that name the person are still queued. Redact again after they are processed.`,
        );
      }
      const removed = [
        'the entry',
        ...(bookerRedacted ? ['the booker'] : []),
        `${importRows} import rows`,
        `${raceDayMessages} race-day messages`,
        `${credits} credits`,
      ].join(', ');
      context.answer(redaction, `${changed ? 'Redacted' : 'Already redacted; redacted again'}: ${removed}.`);
    });

  group
    .command('log <id>')
    .description(
      'list the race-day messages, and why each applies or not; <id> is a participant or an application',
    )
    .action(async (id: string) => {
      const { manager } = await context.dataSourceHolding(StartListEntry, id);
      const history = isId(id) ? await historyOf(manager, id) : undefined;
      if (!history) throw new CommandError('NOT_FOUND', `There is no participant or application ${id}.`);
      context.answer(history, tellHistory(history));
    });
};
