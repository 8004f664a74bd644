import { writeMapping } from './mapping';
import { openSource } from './read-rows';
import { SendRefused } from './refused';
import { type SendOptions, type SendReport, sendFile } from './send-file';
import { surfaceOf } from './surfaces';

export interface CommandOutcome {
  /** Whether every row was imported. */
  ok: boolean;
  /** For programs. */
  value: object;
  /** For people. */
  text: string;
}

/** `import send`, for the command line of Startline and of this package. */
export async function sendCommand(options: SendOptions): Promise<CommandOutcome> {
  if (options.map === 'init') return initMapping(options);
  const report = await sendFile(options).catch((error: Error) => {
    if (error.message !== 'fetch failed') throw error;
    const { code, message: reason } = (error.cause ?? {}) as { code?: string; message?: string };
    const message = `Can't connect to ${options.url} (${code ?? reason}). To continue, run the command again.`;
    throw new SendRefused('API_UNREACHABLE', message);
  });
  return { ok: report.failedRows === 0, value: report, text: described(report) };
}

async function initMapping({ surface, file }: SendOptions): Promise<CommandOutcome> {
  const mapping = writeMapping(surfaceOf(surface), await openSource(file));
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
  const { rows, sent, succeeded, alreadyImported, cancelledBefore, duplicateRows, failedRows, failedFile } =
    report;
  const counts = [
    `${succeeded} ${report.dryRun ? 'would be imported' : 'imported'}`,
    `${alreadyImported} already imported`,
    ...(cancelledBefore ? [`${cancelledBefore} cancelled before`] : []),
  ];
  return [
    `${rows} rows: ${sent} sent as ${report.surface.replace(/Import$/, '')}, of which ${counts.join(', ')}.`,
    ...(duplicateRows ? [`${duplicateRows} rows were skipped: they are identical to an earlier row.`] : []),
    ...(failedRows
      ? [
          `${failedRows} rows failed: ${Object.entries(report.failures)
            .map(([code, count]) => `${count} ${code}`)
            .join(', ')}.`,
          `They are in ${failedFile}.${report.dryRun ? '' : ' Correct them there, and run the command again with --only-failed.'}`,
        ]
      : []),
  ].join('\n');
}
