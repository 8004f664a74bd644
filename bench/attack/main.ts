import { inspect, parseArgs } from 'node:util';
import { run } from './run';
import { tableOf } from './table';

/**
 * npm run attack -- --seed 1 --minutes 5        # --json for programs
 *
 * A hostile organization with valid keys, whose requests follow from the seed and from the OpenAPI document, against an API and a
 * worker of this run. The exit code is 1 if a limit is exceeded (`LIMITS`).
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '1' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  if (!Number.isInteger(seed) || !(minutes > 0))
    throw new Error('--seed is a whole number, and --minutes more than 0');
  const say = (line: string) => {
    if (!values.json) process.stderr.write(`${line}\n`);
  };
  const report = await run({ seed, minutes, only: values.only, say });
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : tableOf(report));
  process.exitCode = report.exceeded.length === 0 ? 0 : 1;
}

// `exit` ends the programs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().then(
  () => process.exit(),
  (error: Error) => {
    process.stderr.write(`${inspect(error)}\n`, () => process.exit(2));
  },
);
