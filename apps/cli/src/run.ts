import { Command, CommanderError } from 'commander';
import { releaseVersion } from '#platform/config';
import { COMMAND_GROUPS } from './commands';
import { Context, type Surroundings } from './context';
import { exitCodeOf, failureOf } from './errors';

/**
 * Runs one command. The output is text; with `--json` it is exactly one JSON value on standard output, which is
 * `{ error, message }` on failure.
 *
 * @returns the exit code: 0, or 1 on failure; `import send` tells its outcomes apart
 */
export async function run(words: string[], surroundings: Surroundings): Promise<number> {
  const context = new Context(words.includes('--json'), surroundings);
  const program = programOf(context, surroundings);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the message; help is not a failure.
    const told = error instanceof CommanderError;
    if (told && error.exitCode === 0) return 0;
    const failure = failureOf(error, context.environment);
    if (context.json) surroundings.stdout.write(`${JSON.stringify(failure)}\n`);
    else if (!told) surroundings.stderr.write(`${failure.message}\n`);
    return exitCodeOf(error);
  } finally {
    await context.close();
  }
}

export function programOf(context: Context, { stdout, stderr }: Surroundings): Command {
  const program = new Command('startline')
    .description('Administers Startline: organizations, keys, catalogues, imports.')
    .version(releaseVersion())
    .option('--json', 'print the result as one JSON value')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => context.json || stderr.write(text),
    })
    .exitOverride()
    .showHelpAfterError('(for help, use --help)');
  for (const addTo of COMMAND_GROUPS) addTo(program, context);
  return program;
}
