import { once } from 'node:events';
import { createWriteStream, openSync, type Stats } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Option } from 'commander';
import {
  type Advance,
  CALENDAR,
  CALENDAR_TEMPLATE,
  CatalogueRecordSchema,
  describeProblem,
  exportCatalogue,
  formatOf,
  type LoadReport,
  loadCatalogue,
  openCatalogue,
  type Source,
  TABLES,
} from '#domain/catalogue';
import { initialMapping } from '#libs/client';
import { audit } from '#platform/access';
import { CalendarFile } from '../calendar-file';
import { CommandError } from '../errors';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';
import { ONLY_TABLES, statOf, type TableFlags, tableOptionsOf, withTableOptions } from './table-options';

interface LoadOptions extends TableFlags {
  organization: string;
  waveDay?: 'next' | 'same';
  dryRun?: true;
  skipInvalid?: true;
}
interface ExportOptions {
  organization: string;
  output?: string;
  ids: boolean;
}

/** How many problems the text output shows; `--json` lists more. */
const SHOWN = 50;

export const catalogueCommands: CommandGroup = (program, context) => {
  const group = program.command('catalogue').description('events, races, tickets and forms, as files');

  withTableOptions(group.command('load <file>'))
    .description(
      'load a catalogue from a file: JSON Lines (.jsonl), JSON (.json), or a race calendar (.csv, .tsv, .txt, .xlsx)',
    )
    .requiredOption('--organization <slug>', 'the organization')
    .addOption(
      new Option('--wave-day <day>', 'of waves whose time is before that of their race').choices([
        'next',
        'same',
      ]),
    )
    .option('--dry-run', 'check the file without loading it')
    .option('--skip-invalid', 'load the valid rows of a file that also has invalid rows')
    .action(async (path: string, options: LoadOptions) => {
      const file = await statOf(path);
      const { size } = file;
      const { organization, dryRun, skipInvalid, ...flags } = options;
      const { waveDay } = flags;
      const isTable = TABLES.includes(formatOf(path));
      if (!isTable && Object.keys(flags).length > 0) throw new CommandError('INVALID_COMMAND', ONLY_TABLES);
      const given = { ...tableOptionsOf(flags, context.json), ...(waveDay && { waveDay }) };
      if (given.map === 'init') {
        const { value, text } = await initialMapping(CALENDAR, path, given);
        context.answer(value, text);
        return;
      }
      const { dataSource, organizationId } = await context.organizationOf(options.organization);
      const note = (line: string) => context.json || context.note(line);
      const calendar = isTable
        ? await CalendarFile.open(dataSource.manager, organizationId, path, { ...given, dryRun, note })
        : undefined;
      const progress = context.progress('bytes');
      // Read twice: to check the file, then to load it.
      progress.start(options.dryRun ? size : 2 * size);
      const loaded = await loadCatalogue(dataSource, {
        organizationId,
        open: () => calendar?.plan.records() ?? unchanged(path, file, (bytes) => progress.advance(bytes)),
        dryRun: options.dryRun,
        skipInvalid: options.skipInvalid,
        onProblem: calendar?.keep,
        onFirstRows: (manager) =>
          audit(manager, context.actor, {
            ...{ organizationId, action: 'catalogue.load', objectType: 'catalogue', objectId: null },
            details: { bytes: size },
          }),
      }).finally(() => progress.stop());
      const failedFile = (await calendar?.writeFailed()) ?? null;
      const report = { ...loaded, ...(calendar && { conversions: calendar.plan.conversions, failedFile }) };
      if (!context.json && report.warnings.length > 0) context.note(warningsOf(report));
      if (report.problemCount > 0) {
        if (!context.json) context.note(problemsOf(report));
        // What is written stays, so its counts are the result of a command that fails.
        if (!context.json && report.loadedRows > 0) context.answer(report, countsTable(report));
        throw new CommandError('INVALID_ROWS', outcomeOf(report), report);
      }
      context.answer(
        report,
        options.dryRun ? `${outcomeOf(report)}` : `${outcomeOf(report)}\n\n${countsTable(report)}`,
      );
    });

  group
    .command('export')
    .description('write a catalogue as JSON Lines that "load" accepts (with --json, as one array)')
    .requiredOption('--organization <slug>', 'the organization')
    .option('--output <file>', 'the file to write; standard output by default')
    .option('--no-ids', 'leave out ids, to load the file into another organization')
    .action(async ({ organization, output, ids }: ExportOptions) => {
      const { dataSource, organizationId } = await context.organizationOf(organization);
      const records = exportCatalogue(dataSource, { organizationId, ids });
      if (!output) {
        await writeRecords(records, context.stdout, context.json);
        return;
      }
      // An earlier export stays until this one is whole.
      const partial = `${output}.part`;
      const file = createWriteStream(partial, { fd: openSync(partial, 'w') });
      file.on('error', () => undefined);
      let count: number;
      try {
        count = await writeRecords(records, file, output.endsWith('.json'));
        await finished(file.end());
        await rename(partial, output);
      } catch (error) {
        file.destroy();
        await rm(partial, { force: true });
        throw error;
      }
      context.answer({ output, records: count }, `Wrote ${count} records to ${output}.`);
    });

  group
    .command('template')
    .description('write a race calendar (.csv) with example rows that "load" accepts')
    .option('--output <file>', 'the file to write, which must not exist; standard output by default')
    .action(async ({ output }: { output?: string }) => {
      if (output) await writeNew(output, CALENDAR_TEMPLATE);
      if (output)
        context.answer({ output }, `Wrote ${output}. Replace the example rows, then load the file.`);
      else context.answer({ csv: CALENDAR_TEMPLATE }, CALENDAR_TEMPLATE.trimEnd());
    });

  group
    .command('schema')
    .description('print the JSON Schema of a record, for editors')
    .action(() => {
      context.answer(CatalogueRecordSchema, JSON.stringify(CatalogueRecordSchema, null, 2));
    });
};

/** The records of a file that is read twice: what is written is what was checked. */
async function* unchanged(path: string, before: Stats, advance: Advance): Source {
  yield* openCatalogue(path, advance);
  const { ino, size, mtimeMs } = await statOf(path);
  if (ino === before.ino && size === before.size && mtimeMs === before.mtimeMs) return;
  const message = `The file ${path} was changed while it was read. Some of its records may be loaded: load it again.`;
  throw new CommandError('INVALID_FILE', message);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    throw new CommandError('ALREADY_EXISTS', `The file ${path} exists already. Specify another one.`);
  }
}

async function writeRecords(records: AsyncIterable<string>, to: Writable, asArray: boolean): Promise<number> {
  let count = 0;
  const put = async (text: string) => {
    if (to.errored) throw to.errored;
    if (!to.write(text)) await once(to, 'drain');
  };
  for await (const record of records) {
    if (asArray) await put(`${count === 0 ? '[' : ','}\n${record}`);
    else await put(`${record}\n`);
    count += 1;
  }
  if (asArray) await put(count === 0 ? '[]\n' : '\n]\n');
  return count;
}

function outcomeOf({ rows, loadedRows, badRows, problemCount, dryRun }: LoadReport): string {
  if (problemCount === 0) return dryRun ? `All ${rows} rows are valid.` : `Loaded all ${rows} rows.`;
  const bad = `${badRows} of ${rows} rows are invalid`;
  if (loadedRows > 0) return `${bad}. Loaded the other ${loadedRows}.`;
  return `${bad}. Nothing was loaded. To load the valid rows, use --skip-invalid.`;
}

const problemsOf = ({ problems, problemCount }: LoadReport): string =>
  [
    ...problems.slice(0, SHOWN).map(describeProblem),
    ...(problemCount > SHOWN
      ? [`… and ${problemCount - SHOWN} more problems (--json lists the first 1,000)`]
      : []),
  ].join('\n');

const warningsOf = ({ warnings }: LoadReport): string =>
  warnings.map((warning) => `warning: ${describeProblem(warning)}`).join('\n');

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const countsTable = ({ tables }: LoadReport): string =>
  tableOf(
    ['', 'created', 'updated', 'unchanged', 'removed'],
    Object.entries(tables)
      .map(([name, { created, updated, unchanged, removed }]) => [
        words(name),
        ...[created, updated, unchanged, removed],
      ])
      .filter(([, ...counts]) => counts.some((count) => count !== 0)),
  );
