#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { StartlineError } from './error';
import { listenMain } from './listen/main';
import { progressOn } from './progress';
import { sendCommand } from './send/command';
import { fileOptionsOf } from './send/flags';
import { SendRefused } from './send/refused';
import { SURFACE_NAMES } from './send/surfaces';
import { terminalOf } from './send/terminal';
import { CopyRefused } from './sync/copy';
import { syncMain } from './sync/main';
import { requireTarget, TARGET_OPTIONS } from './target';

const HELP = `Usage: npx --package=<address of the API>/client.tgz startline-client <command>

Commands:
  import send <surface> <file>   imports a file (below)
  sync --to <target>             keeps a copy of lists equal to the API (sync --help)
  listen --forward-to <address>  delivers change events to a program on this machine (listen --help)
  mcp                            serves tools for assistants on standard input and output (mcp --help)

import send <surface> <file> [options]

Imports a file: a table (.csv, .tsv, .txt, .xlsx, each also as .gz), or rows of the import (.jsonl). To continue after an interruption, run the command again.
On a terminal, it asks what the file leaves open, and before it sends.

Surfaces: ${SURFACE_NAMES.join(', ')}

  --url <url>          the address of the API (or STARTLINE_URL)
  --key <key>          the API key (or STARTLINE_API_KEY, which other users of the machine can't read)
  --map <file>         a mapping of columns to fields; "--map init" writes one
  --set <field=value>  the value of a field in every row; repeatable
  --yes                sends without asking, also bookings that join people with different addresses or names
  --date-order <order> dmy or mdy, where a column does not show whether day or month comes first
  --decimal <sign>     . or , where a column does not show which sign comes before decimals
  --reading <column=way>  how one column is written, where its values leave it open: what is asked names the ways; repeatable
  --accept-outside     sends values that are not plausible, such as a person of 120 years, which are otherwise asked about
  --encoding <name>    such as windows-1250 or macintosh; --delimiter <sign>, --header <line>, --sheet <name>: what is
                       otherwise recognised
  --hidden <what>      read or skip: the hidden rows and columns of a workbook
  --watch              sends the file again whenever it has changed, until the command is stopped
  --dry-run            finds the outcome of each row, and writes nothing
  --only-failed        sends the failed rows of the last run, with your changes of the failed-rows file
  --correct            corrects existing bookings, line items or add-ons; otherwise bookings that differ fail, and others stay as they are
  --number <rule>      row or person: the booking number of a file that has none, by its name and the row, or name and date of birth
  --cancelled <what>   bookings whose id belonged to a cancelled booking: skip (default) or import
  --batch <rows>       rows of one request, 1 to 10000 (default 10000)
  --json               prints the result as one JSON value, with --watch that of each time on a line
  --help               prints this text

Exit code: 0 if every row is imported, 1 if rows failed, 2 if the command or the file is refused, 3 if a person must decide something
first (nothing was sent), 4 if the API can't be reached or refuses the key.
`;

const COMMANDS: Partial<Record<string, (words: string[]) => Promise<number>>> = {
  sync: syncMain,
  listen: listenMain,
  // A bundle of its own in the package, which no other command loads.
  mcp: (words) => (require('./mcp/main') as typeof import('./mcp/main')).mcpMain(words),
};

async function main(): Promise<number> {
  const command = COMMANDS[process.argv[2] ?? ''];
  return command ? command(process.argv.slice(3)) : importMain();
}

async function importMain(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...TARGET_OPTIONS,
      map: { type: 'string' },
      set: { type: 'string', multiple: true },
      'dry-run': { type: 'boolean' },
      'only-failed': { type: 'boolean' },
      cancelled: { type: 'string', default: 'skip' },
      correct: { type: 'boolean' },
      number: { type: 'string' },
      batch: { type: 'string', default: '10000' },
      yes: { type: 'boolean' },
      watch: { type: 'boolean' },
      'date-order': { type: 'string' },
      decimal: { type: 'string' },
      'accept-outside': { type: 'boolean' },
      reading: { type: 'string', multiple: true },
      encoding: { type: 'string' },
      delimiter: { type: 'string' },
      header: { type: 'string' },
      sheet: { type: 'string' },
      hidden: { type: 'string' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [command, ...words] = positionals;
  const [surface, file, ...more] = words[0] === 'send' ? words.slice(1) : words;
  if (command !== 'import' || !surface || !file || more.length) {
    throw new SendRefused('INVALID_COMMAND', 'Specify a surface and a file. For help, use --help.');
  }
  const { url, key, map, set, reading, cancelled } = values;
  const batchRows = Number(values.batch);
  if (!Number.isInteger(batchRows) || batchRows < 1 || batchRows > 10_000) {
    throw new SendRefused('INVALID_COMMAND', '--batch must be a whole number from 1 to 10000.');
  }
  if (cancelled !== 'skip' && cancelled !== 'import') {
    throw new SendRefused('INVALID_COMMAND', '--cancelled must be skip or import.');
  }
  if (map !== 'init') requireTarget(values);
  const { ok, value, text } = await sendCommand({
    ...{ surface, file, url, key, map, set, reading, cancelled, batchRows },
    correct: values.correct,
    dryRun: values['dry-run'],
    onlyFailed: values['only-failed'],
    acceptOutside: values['accept-outside'],
    ...fileOptionsOf({ ...values, dateOrder: values['date-order'] }),
    yes: values.yes,
    watch: values.watch,
    terminal: values.json || values.yes ? undefined : terminalOf(process),
    progress: progressOn(process.stderr, 'rows'),
    note: (line) => process.stderr.write(`${line}\n`),
    onSent: (value) => values.json && process.stdout.write(`${JSON.stringify(value)}\n`),
  });
  process.stdout.write(`${values.json ? JSON.stringify(value) : text}\n`);
  return ok ? 0 : 1;
}

function exitCodeOf(error: Error): number {
  if (error instanceof SendRefused) return error.exitCode;
  if (error instanceof CopyRefused) return 2;
  return error instanceof StartlineError ? 4 : error instanceof TypeError ? 2 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error & { code?: unknown }) => {
    const { message } = error;
    if (process.argv.includes('--json')) {
      process.stdout.write(`${JSON.stringify({ error: error.code ?? 'UNEXPECTED', message })}\n`);
    } else process.stderr.write(`${message}\n`);
    process.exitCode = exitCodeOf(error);
  },
);
