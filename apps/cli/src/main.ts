import { Command, CommanderError } from 'commander';
import { COMMAND_GROUPS } from './commands';
import { Context } from './context';
import { failureOf } from './errors';

/**
 * The command line. People get sentences and tables; with `--json` programs get exactly one JSON value on standard
 * output, and `{ error, message }` with exit code 1 on failure.
 */
async function main(words: string[]): Promise<void> {
  const context = new Context(words.includes('--json'));
  const program = new Command('startline')
    .description('Runs the platform: organizations, keys, catalogues.')
    .option('--json', 'answer with one JSON value')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: (text) => context.json || process.stderr.write(text) })
    .exitOverride()
    .showHelpAfterError('(--help says more)');
  for (const addTo of COMMAND_GROUPS) addTo(program, context);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    fail(error, context.json);
  } finally {
    await context.close();
  }
}

function fail(error: unknown, json: boolean): void {
  const told = error instanceof CommanderError;
  if (told && error.exitCode === 0) return;
  process.exitCode = 1;
  const failure = failureOf(error);
  if (json) process.stdout.write(`${JSON.stringify(failure)}\n`);
  else if (!told) process.stderr.write(`${failure.message}\n`);
}

// What a library tells its developers is nothing to the reader of an answer.
process.noDeprecation = true;

void main(process.argv.slice(2));
