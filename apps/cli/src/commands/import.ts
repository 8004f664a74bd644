import { InvalidArgumentError, Option } from 'commander';
import { cancelJob, DISCARDED, discardPayloads, IMPORTS, RETRY_REFUSALS, reopenJob } from '#domain/imports';
import { SendRefused, SURFACE_NAMES, sendCommand } from '#libs/client';
import { ImportJob } from '#platform/database';
import { CommandError } from '../errors';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';
import { answerAtEnd, answerJob, described, jobById, processedOf } from './import-jobs';
import { undoCommand } from './import-undo';
import { type TableFlags, tableOptionsOf, withTableOptions } from './table-options';

/** Rows of one transaction. Lists by `updatedAt` and other writers wait for it, so it is short. */
const DISCARDED_AT_ONCE = 1_000;

const minute = (at: Date | null) => at?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';

const upTo = (most: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  return value;
};

interface SendOptions extends TableFlags {
  url?: string;
  key?: string;
  watch?: true;
  dryRun?: true;
  onlyFailed?: true;
  correct?: true;
  cancelled: 'skip' | 'import';
  batch: number;
}

export const importCommands: CommandGroup = (program, context) => {
  const group = program.command('import').description('import jobs and the outcomes of their rows');

  const { STARTLINE_URL, STARTLINE_API_KEY } = context.environment;
  withTableOptions(group.command('send <surface> <file>'))
    // 1 means that rows failed.
    .exitOverride((error) => {
      throw Object.assign(error, { exitCode: error.exitCode && 2 });
    })
    .description(
      `send a table (.csv, .tsv, .txt, .xlsx) or JSON Lines file through the API (${SURFACE_NAMES.join(', ')})`,
    )
    .option('--url <url>', 'the address of the API (or STARTLINE_URL)')
    .option('--key <key>', 'the API key (or STARTLINE_API_KEY)')
    .option('--watch', 'send the file again whenever it has changed, until the command is stopped')
    .option('--dry-run', 'find the outcome of each row, and write nothing')
    .option(
      '--only-failed',
      'send the failed rows of the last run, with your changes of the failed-rows file',
    )
    .option(
      '--correct',
      'correct existing bookings, line items or add-ons; otherwise bookings that differ fail, and others stay as they are',
    )
    .option('--number <rule>', 'row or person: the booking number of a file that has none')
    .addOption(
      new Option('--cancelled <what>', 'bookings whose id belonged to a cancelled booking')
        .choices(['skip', 'import'])
        .default('skip'),
    )
    .option('--batch <rows>', 'rows of one request', upTo(10_000), 10_000)
    .action(async (surface: string, file: string, { batch, ...options }: SendOptions) => {
      const { url = STARTLINE_URL ?? '', key = STARTLINE_API_KEY ?? '' } = options;
      if (options.map !== 'init' && (!url || !key)) {
        const message = 'Specify --url and --key, or set STARTLINE_URL and STARTLINE_API_KEY.';
        throw new SendRefused('INVALID_COMMAND', message);
      }
      const progress = context.progress('rows');
      const note = (line: string) => context.json || context.note(line);
      const { dryRun, onlyFailed, correct, cancelled, watch } = options;
      const sent = await sendCommand({
        ...tableOptionsOf(options, context.json),
        ...{ dryRun, onlyFailed, correct, cancelled, watch },
        ...{ url, key, surface, file, batchRows: batch, progress, note },
        onSent: (value) => context.json && context.answer(value, ''),
      });
      if (!sent.ok) throw new CommandError('INVALID_ROWS', sent.text, sent.value);
      context.answer(sent.value, sent.text);
    });

  group
    .command('list')
    .description("list an organization's import jobs, newest first")
    .requiredOption('--organization <slug>', 'the organization')
    .addOption(new Option('--surface <name>', 'only jobs of this surface').choices(Object.keys(IMPORTS)))
    .addOption(
      new Option('--status <status>', 'only jobs with this status').choices([
        'QUEUED',
        'RUNNING',
        'COMPLETED',
        'FAILED',
      ]),
    )
    .option('--limit <count>', 'the most jobs to list', upTo(1_000), 50)
    .action(
      async (options: {
        organization: string;
        surface?: string;
        status?: ImportJob['status'];
        limit: number;
      }) => {
        const { organization, surface, status, limit } = options;
        const { manager, organizationId } = await context.organizationOf(organization);
        const jobs = await manager.find(ImportJob, {
          where: { organizationId, ...(surface && { surface }), ...(status && { status }) },
          order: { createdAt: 'DESC', id: 'DESC' },
          take: limit,
        });
        const text = tableOf(
          ['ID', 'SURFACE', 'STATUS', 'ROWS', 'DONE', 'FAILED', 'CREATED', 'FINISHED'],
          jobs.map((job) => [
            job.id,
            `${job.surface}${job.dryRun ? ' (dry run)' : job.undoesJobId ? ' (undo)' : ''}`,
            job.status,
            job.totalRows,
            processedOf(job),
            job.failedRows,
            minute(job.createdAt),
            minute(job.finishedAt),
          ]),
        );
        context.answer(jobs.map(described), jobs.length ? text : 'No import job matches.');
      },
    );

  group
    .command('show <id>')
    .description('show an import job and its failed rows')
    .option('--follow', 'until it is finished, with its progress')
    .action(async (id: string, { follow }: { follow?: true }) => {
      const { manager } = await context.dataSourceHolding(ImportJob, id);
      if (follow) await answerAtEnd(context, manager, id);
      else await answerJob(context, manager, await jobById(manager, id));
    });

  group
    .command('cancel <id>')
    .description('cancel an import job; rows without an outcome are not written')
    .action(async (id: string) => {
      const { manager } = await context.dataSourceHolding(ImportJob, id);
      const { organizationId } = await jobById(manager, id);
      if (!(await cancelJob(manager, { organizationId, jobId: id })))
        throw new CommandError('REFUSED', `Import job ${id} is already finished.`);
      await answerJob(context, manager, await jobById(manager, id));
    });

  group
    .command('discard <id>')
    .description(
      'cancel an import job if it is not finished, and delete the content of its rows; their outcomes stay',
    )
    .action(async (id: string) => {
      const { manager } = await context.dataSourceHolding(ImportJob, id);
      const { organizationId } = await jobById(manager, id);
      const job = { organizationId, jobId: id };
      await cancelJob(manager, job, DISCARDED);
      while ((await discardPayloads(manager, job, DISCARDED_AT_ONCE)) === DISCARDED_AT_ONCE);
      await answerJob(context, manager, await jobById(manager, id));
    });

  undoCommand(group, context);

  group
    .command('retry <id>')
    .description('process the failed rows of a finished job again, and the rows it never reached')
    .option('--follow', 'until it is finished, with its progress')
    .action(async (id: string, { follow }: { follow?: true }) => {
      const dataSource = await context.dataSourceHolding(ImportJob, id);
      const { manager } = dataSource;
      const { organizationId, emptiedRows } = await jobById(manager, id);
      if (emptiedRows > 0)
        throw new CommandError('REFUSED', `The rows of import job ${id} were deleted (IMPORT_PAYLOAD_DAYS).`);
      // No queue is needed here: a worker's sweeper finds the job within seconds.
      const reopened = await dataSource.transaction((inside) =>
        reopenJob(inside, { organizationId, jobId: id }),
      );
      const refusal = RETRY_REFUSALS[reopened];
      if (refusal) throw new CommandError('REFUSED', refusal);
      if (reopened === 'NOT_FINISHED') {
        throw new CommandError(
          'REFUSED',
          `Import job ${id} is not finished. To follow it, run "import show ${id} --follow".`,
        );
      }
      if (follow) return answerAtEnd(context, manager, id);
      const job = await jobById(manager, id);
      const rows = job.totalRows - processedOf(job);
      const said =
        reopened === 'NOTHING' ? 'has no failed row' : `is QUEUED again, with ${rows} rows to process`;
      context.answer(described(job), `Import job ${id} ${said}.`);
    });
};
