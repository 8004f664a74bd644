import { type ImportKind, withAnswers } from '../../../sheets/src';
import { StartlineClient } from '../client';
import { asking, questionsOf } from '../rows/look-up';
import { counted } from './counted';
import { writeMapping } from './mapping';
import { type OpenOptions, openSource } from './read-rows';
import { SendRefused } from './refused';
import { type SendOptions, type SendReport, sendFile } from './send-file';
import { surfaceOf } from './surfaces';
import { changedSince, stateOf } from './watch-file';

export interface CommandOutcome {
  /** Whether every row was imported. */
  ok: boolean;
  /** For programs. */
  value: object;
  /** For people. */
  text: string;
}

/** `import send`, for the command line of Startline and of this package. */
export async function sendCommand({
  watch,
  ...options
}: SendOptions & { watch?: boolean }): Promise<CommandOutcome> {
  if (options.map === 'init') return initMapping(options);
  if (!watch) return sendOnce(options);
  for (;;) {
    const state = await stateOf(options.file);
    const said = await sendOnce(options).then(
      ({ text }) => text,
      (error: Error) => {
        // A file that is refused can be corrected; a command can't.
        if (!(error instanceof SendRefused) || error.code === 'INVALID_COMMAND') throw error;
        return error.message;
      },
    );
    options.note?.(`${said}\nWaiting for changes of ${options.file}.`);
    await changedSince(state, options.file, options.signal);
  }
}

async function sendOnce(options: SendOptions): Promise<CommandOutcome> {
  const report = await sendFile(options).catch((error: Error) => {
    if (error.message !== 'fetch failed') throw error;
    const { code, message: reason } = (error.cause ?? {}) as { code?: string; message?: string };
    const message = `Can't connect to ${options.url} (${code ?? reason}). To continue, run the command again.`;
    throw new SendRefused('API_UNREACHABLE', message);
  });
  return { ok: report.failedRows === 0, value: report, text: described(report) };
}

async function initMapping({
  surface: name,
  file,
  url,
  key,
  ...options
}: SendOptions): Promise<CommandOutcome> {
  const surface = surfaceOf(name);
  // Without an address and a key, or an API that answers, the questions of booking forms are not known.
  const ask = url && key ? asking(new StartlineClient({ baseUrl: url, token: key })) : undefined;
  const questions = ask ? await questionsOf(ask).catch(() => []) : [];
  return initialMapping(withAnswers(surface, questions), file, options);
}

/** Writes a mapping with the columns of a table that were recognised, for `--map init`. */
export async function initialMapping(
  kind: ImportKind,
  file: string,
  options: OpenOptions,
): Promise<CommandOutcome> {
  const { sheet } = await openSource(file, options);
  if (!sheet) throw new SendRefused('INVALID_COMMAND', 'JSON Lines need no mapping.');
  const mapping = writeMapping(kind, file, sheet);
  const { output, unmatched } = mapping;
  const open = unmatched.length
    ? ` No field matches ${unmatched.map((name) => `"${name}"`).join(', ')}.`
    : '';
  return {
    ok: true,
    value: mapping,
    text: `Wrote ${output}.${open} Edit it, then send the file with --map ${output}.`,
  };
}

function described(report: SendReport): string {
  const {
    rows,
    sent,
    succeeded,
    alreadyImported,
    cancelledBefore,
    duplicateRows,
    failedRows,
    failedFile,
    warnedRows,
  } = report;
  const counts = [
    `${succeeded} ${report.dryRun ? 'would be imported' : 'imported'}`,
    `${alreadyImported} already imported`,
    ...(cancelledBefore ? [`${cancelledBefore} cancelled before`] : []),
  ];
  return [
    `${counted(rows, 'row')}: ${sent} sent as ${report.surface.replace(/Import$/, '')}, of which ${counts.join(', ')}.`,
    ...(duplicateRows
      ? [
          `${counted(duplicateRows, 'row was skipped: it is', 'rows were skipped: they are')} identical to an earlier row.`,
        ]
      : []),
    ...(warnedRows ? [`${counted(warnedRows, 'imported row has', 'imported rows have')} warnings.`] : []),
    ...(failedRows
      ? [
          `${counted(failedRows, 'row')} failed: ${Object.entries(report.failures)
            .map(([code, count]) => `${count} ${code}`)
            .join(', ')}.`,
          `They are in ${failedFile}.${report.dryRun ? '' : ' Correct them there, and run the command again with --only-failed.'}`,
        ]
      : []),
  ].join('\n');
}
