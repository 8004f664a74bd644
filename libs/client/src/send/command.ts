import { type ImportKind, withAnswers } from '../../../sheets/src';
import { StartlineClient } from '../client';
import { StartlineError } from '../error';
import { asking, questionsOf } from '../rows/look-up';
import { pause } from '../sending';
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

/** Until a watched file is sent again to an API that is away. */
const AWAY_SECONDS = 30;
const AGAIN = ' To continue, run the command again.';

/**
 * `import send`, for the command line of Startline and of this package.
 *
 * @param onSent called with the value of each outcome of a watched file
 */
export async function sendCommand({
  watch,
  onSent,
  ...options
}: SendOptions & { watch?: boolean; onSent?: (value: object) => void }): Promise<CommandOutcome> {
  if (options.map === 'init') return initMapping(options);
  if (!watch) return sendOnce(options);
  for (;;) {
    const state = await stateOf(options.file);
    const sent = await sendOnce(options).catch((error: Error) => error);
    const away = sent instanceof Error ? secondsAway(sent) : undefined;
    if (sent instanceof Error && away !== undefined) {
      options.note?.(`${sent.message.replace(AGAIN, '')}\nSending ${options.file} again in ${away} seconds.`);
      await pause(away * 1_000, options.signal);
      continue;
    }
    // A file that is refused can be corrected; a command can't.
    if (sent instanceof Error && (!(sent instanceof SendRefused) || sent.code === 'INVALID_COMMAND'))
      throw sent;
    const { value, text } =
      sent instanceof SendRefused
        ? { value: { error: sent.code, message: sent.message }, text: sent.message }
        : sent;
    onSent?.(value);
    options.note?.(`${text}\nWaiting for changes of ${options.file}.`);
    await changedSince(state, options.file, options.signal);
  }
}

/** How long to wait for an API that can't be reached, fails, or has no more room for now; undefined for other errors. */
function secondsAway(error: Error): number | undefined {
  if (error instanceof SendRefused) return error.code === 'API_UNREACHABLE' ? AWAY_SECONDS : undefined;
  if (!(error instanceof StartlineError)) return undefined;
  const { status, retryAfter = AWAY_SECONDS } = error;
  return status === 408 || status === 429 || status >= 500 ? Math.max(retryAfter, AWAY_SECONDS) : undefined;
}

async function sendOnce(options: SendOptions): Promise<CommandOutcome> {
  const report = await sendFile(options).catch((error: Error) => {
    if (error.message !== 'fetch failed') throw error;
    const { code, message: reason } = (error.cause ?? {}) as { code?: string; message?: string };
    const message = `Can't connect to ${options.url} (${code ?? reason}).${AGAIN}`;
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
  const { rows, sent, succeeded, alreadyImported, cancelledBefore } = report;
  const { duplicateRows, failedRows, failedFile, warnedRows } = report;
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
    ...(alreadyImported && !/^(bookings|referrals)/.test(report.surface)
      ? [
          `${counted(alreadyImported, 'row has a number that exists: it was', 'rows have a number that exists: they were')} not compared with what is stored, and changed nothing.`,
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
