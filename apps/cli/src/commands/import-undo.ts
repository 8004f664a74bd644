import type { Command } from 'commander';
import {
  CHANGE_REFUSALS,
  type ImportUndoPreview,
  previewUndo,
  UNDO_REFUSALS,
  type UndoRefusal,
  undoChange,
  undoImport,
} from '#domain/imports';
import { ImportJob } from '#platform/database';
import type { Context } from '../context';
import { CommandError } from '../errors';
import { tableOf } from '../table';
import { answerAtEnd, described, jobById } from './import-jobs';

/** A preview as a table, with the first records of the groups that need a decision. */
function tellPreview(preview: ImportUndoPreview): string {
  const groups = [
    ['can be undone', preview.canBeUndone],
    ['changed since the import', preview.changedSince],
    ['cannot be undone', preview.cannotBeUndone],
  ] as const;
  const reasons = ({ reasons }: ImportUndoPreview['canBeUndone']) =>
    reasons.map(({ reason, records }) => `${reason} ${records}`).join(', ');
  const examples = groups.flatMap(([, group]) => group.examples.filter((each) => each.reasons.length > 0));
  return [
    tableOf(
      ['RECORDS', 'GROUP', 'REASONS'],
      groups.map(([name, group]) => [group.records, name, reasons(group)]),
    ),
    ...(examples.length
      ? [
          '',
          tableOf(
            ['ROW', 'EXTERNAL ID', 'ID', 'REASONS'],
            examples.map(({ row, externalId, id, reasons }) => [
              row,
              externalId ?? '',
              id,
              reasons.join(', '),
            ]),
          ),
        ]
      : []),
  ].join('\n');
}

const permitted = <T extends object>(answer: T | UndoRefusal, id: string): T => {
  if (typeof answer !== 'string') return answer;
  if (answer === 'MISSING') throw new CommandError('NOT_FOUND', `There is no import job ${id}.`);
  throw new CommandError('REFUSED', UNDO_REFUSALS[answer]);
};

const changeUndone = (answer: Awaited<ReturnType<typeof undoChange>>, id: string) => {
  if (typeof answer !== 'string') return answer;
  if (answer === 'MISSING') throw new CommandError('NOT_FOUND', `There is no import job ${id}.`);
  throw new CommandError('REFUSED', CHANGE_REFUSALS[answer]);
};

export function undoCommand(group: Command, context: Context): void {
  group
    .command('undo <id>')
    .description('cancel what an import made, or take back a change of several participants')
    .option('--preview', 'only show what would be cancelled')
    .option('--include-changed', 'also cancel records that have changed since the import')
    .option('--follow', 'until it is finished, with its progress')
    .action(async (id: string, options: { preview?: true; includeChanged?: true; follow?: true }) => {
      const dataSource = await context.dataSourceHolding(ImportJob, id);
      const { manager } = dataSource;
      const { organizationId, mode } = await jobById(manager, id);
      if (options.preview) {
        const preview = permitted(await previewUndo(manager, { organizationId, jobId: id }), id);
        return context.answer(preview, tellPreview(preview));
      }
      const { includeChanged = false } = options;
      const request = { organizationId, jobId: id, includeChanged, source: 'command line' };
      const undo = await dataSource.transaction(async (inside) =>
        mode === 'CHANGE'
          ? changeUndone(await undoChange(inside, request, context.actor), id)
          : permitted(await undoImport(inside, request, context.actor), id),
      );
      // No queue is needed here: a worker's sweeper finds the job within seconds.
      if (options.follow) return answerAtEnd(context, manager, undo.jobId);
      const job = await jobById(manager, undo.jobId);
      context.answer(
        described(job),
        `Import job ${job.id} is ${job.status}: it ${mode === 'CHANGE' ? 'undoes the change of' : 'cancels'} ${job.totalRows} records of import job ${id}.`,
      );
    });
}
