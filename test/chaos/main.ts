import { inspect, parseArgs } from 'node:util';
import { run } from './run';
import { tableOf } from './table';

/**
 * npm run chaos -- --seed 1 --minutes 5         # --json for programs
 *
 * Faults, as they follow from the seed, on a fleet of real processes with mixed load; then everything is healed, must make
 * progress, and every promise of the documentation is counted. The exit code is 1 if one is broken.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  if (!Number.isInteger(seed) || !(minutes > 0))
    throw new Error('--seed is a whole number, and --minutes more than 0');
  const say = (line: string) => {
    if (!values.json) process.stdout.write(`${line}\n`);
  };
  const report = await run({ seed, minutes, say });
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : tableOf(report));
  process.exitCode = report.broken === 0 ? 0 : 1;
}

// `exit` ends the fleet.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

main().catch((error: Error) => {
  process.stderr.write(`${inspect(error)}\n`, () => process.exit(1));
});
