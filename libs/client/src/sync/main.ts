import { parseArgs } from 'node:util';
import { progressOn } from '../progress';
import { SendRefused } from '../send/refused';
import { requireTarget, sayer, secondsOf, TARGET_OPTIONS, untilStopped } from '../target';
import { syncCommand } from './command';
import { LISTS, type List } from './copy';

const HELP = `Usage: npx --package=<address of the API>/client.tgz startline-client sync --to <target> [options]

Copies participants, applications, partners, bookings and line items, proves by digests that the copy is equal to the API's
lists, and follows changes until it is stopped. A later run continues where this one ended, also if it was killed.

  --to <target>         postgres://… (tables in the schema "startline_copy"), a file that ends in .sqlite (Node 22.13 or later),
                        or a folder (files of JSON Lines)
  --url <url>           the address of the API (or STARTLINE_URL)
  --key <key>           the API key (or STARTLINE_API_KEY, which other users of the machine can't read)
  --only <list>         ${Object.keys(LISTS).join(', ')}; repeatable. Default: all that the key may read
  --once                ends when the copy is complete and equal
  --verify              like --once, but reports differences instead of repairing them
  --watch               follows changes (default)
  --every <seconds>     the pause between requests for changes, 1 to 3600 (default 5)
  --verify-every <min>  the pause between comparisons, 1 to 1440 (default 15)
  --json                prints each event as a line of JSON
  --help                prints this text

Exit code: 0 if the copy is equal, 1 if it differs or can't be written, 2 if the command is refused, 4 if the API refuses the key, 130 if it was stopped before
the end of --once or --verify.
`;

/** `startline-client sync`. Returns the exit code. */
export async function syncMain(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      ...TARGET_OPTIONS,
      to: { type: 'string' },
      only: { type: 'string', multiple: true },
      once: { type: 'boolean' },
      verify: { type: 'boolean' },
      watch: { type: 'boolean' },
      every: { type: 'string', default: '5' },
      'verify-every': { type: 'string', default: '15' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { to, only, once, verify, watch } = values;
  if (!to)
    throw new SendRefused(
      'INVALID_COMMAND',
      'Specify the target of the copy with --to. For help, use --help.',
    );
  if ([once, verify, watch].filter(Boolean).length > 1) {
    throw new SendRefused('INVALID_COMMAND', 'Specify one of --once, --verify and --watch.');
  }
  const unknown = only?.find((list) => !(list in LISTS));
  if (unknown) {
    throw new SendRefused('INVALID_COMMAND', `--only must be one of ${Object.keys(LISTS).join(', ')}.`);
  }
  requireTarget(values);
  // Copies contain personal data.
  process.umask(0o077);
  const signal = untilStopped();
  const mode = once ? 'once' : verify ? 'verify' : 'watch';
  return syncCommand({
    url: values.url,
    key: values.key,
    to,
    lists: only as List[] | undefined,
    mode,
    every: secondsOf('--every', values.every, 1, 3_600),
    verifyEvery: secondsOf('--verify-every', values['verify-every'], 1, 1_440),
    signal,
    progress: progressOn(process.stderr, 'rows'),
    say: sayer(values.json),
  }).then(
    (equal) => (equal ? 0 : 1),
    (error: Error) => {
      if (!signal.aborted) throw error;
      return mode === 'watch' ? 0 : INTERRUPTED;
    },
  );
}

/** Of a command that was stopped before it was done. */
const INTERRUPTED = 130;
