import { formatOf, TABLES } from '#domain/catalogue';
import { initialMapping } from '#libs/client';
import { audit } from '#platform/access';
import { CommandError } from '../errors';
import { doRaceDayWork } from '../race-day-work';
import {
  describeRowProblem,
  loadStartList,
  openStartList,
  type StartListReport,
  startListKind,
} from '../start-list-files';
import type { CommandGroup } from './command-group';
import { ONLY_TABLES, statOf, type TableFlags, tableOptionsOf, withTableOptions } from './table-options';

interface LoadFlags extends TableFlags {
  organization: string;
  dryRun?: true;
}

/** Problems shown in text output; JSON output has up to 1,000. */
const SHOWN = 50;

export const startListCommands: CommandGroup = (program, context) => {
  const group = program.command('start-list').description('bookings with their applications, from files');

  withTableOptions(group.command('load <file>'))
    .description('load bookings: JSON Lines (.jsonl), JSON (.json) or a table (.csv, .tsv, .txt, .xlsx)')
    .requiredOption('--organization <slug>', 'the organization')
    .option('--dry-run', 'report what each row would become, and write nothing')
    .action(async (path: string, { organization, dryRun, ...flags }: LoadFlags) => {
      const { size } = await statOf(path);
      const settings = context.settings();
      await context.erasureSecret();
      const { dataSource, organizationId } = await context.organizationOf(organization);
      const { manager } = dataSource;
      const isTable = TABLES.includes(formatOf(path));
      if (!isTable && Object.keys(flags).length > 0) throw new CommandError('INVALID_COMMAND', ONLY_TABLES);
      const options = tableOptionsOf(flags, context.json);
      if (options.map === 'init') {
        const { value, text } = await initialMapping(
          await startListKind(manager, organizationId),
          path,
          options,
        );
        context.answer(value, text);
        return;
      }
      const note = (line: string) => context.json || context.note(line);
      const table = isTable
        ? await openStartList(manager, organizationId, path, { ...options, dryRun, note })
        : undefined;
      if (!dryRun) {
        // Before the first row is written: a load that is killed has changed something too.
        await audit(dataSource.manager, context.actor, {
          ...{
            organizationId,
            action: 'start_list.load',
            objectType: 'organization',
            objectId: organizationId,
          },
          details: { bytes: size },
        });
      }
      const progress = context.progress('bytes');
      progress.start(size);
      const { enqueuesRaceDay, ...report } = await loadStartList(dataSource, {
        organizationId,
        path,
        table,
        settings,
        dryRun,
        advance: (bytes) => progress.advance(bytes),
      }).finally(() => progress.stop());
      if (enqueuesRaceDay) await doRaceDayWork(dataSource, organizationId);
      if (!context.json && report.warnings.length > 0) context.note(warningsOf(report));
      if (report.failed > 0) {
        if (!context.json) context.note(problemsOf(report));
        throw new CommandError('INVALID_ROWS', outcomeOf(report), report);
      }
      context.answer(report, outcomeOf(report));
    });
};

function outcomeOf(report: Omit<StartListReport, 'enqueuesRaceDay'>): string {
  const { dryRun, rows, created, updated, unchanged, cancelledBefore, failed } = report;
  const [make, fail] = dryRun ? ['would be ', ' would fail'] : ['', ' failed'];
  const counts = [
    `${make}created: ${created}`,
    `${make}updated: ${updated}`,
    `unchanged: ${unchanged}`,
    ...(cancelledBefore > 0 ? [`skipped, because their booking was cancelled: ${cancelledBefore}`] : []),
    `${fail.trim()}: ${failed}`,
  ];
  return `${rows} bookings in the file. ${counts.join(', ')}.`;
}

const problemsOf = ({ problems, problemCount }: Pick<StartListReport, 'problems' | 'problemCount'>): string =>
  [
    ...problems.slice(0, SHOWN).map(describeRowProblem),
    ...(problemCount > SHOWN
      ? [`… and ${problemCount - SHOWN} more problems (--json has the first 1,000)`]
      : []),
  ].join('\n');

const warningsOf = ({ warnings }: Pick<StartListReport, 'warnings'>): string =>
  warnings.map(({ line, warning }) => `warning: line ${line}: ${warning}`).join('\n');
