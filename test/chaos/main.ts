import { inspect, parseArgs } from 'node:util';
import { record } from './record';
import { run } from './run';
import { tableOf } from './table';

/**
 * npm run chaos -- --seed 1 --minutes 5         # --json for programs
 * npm run chaos -- --seed 21 --seeds 20 --minutes 0.5 --record     # 20 seeds, each added to docs/fault-runs.csv
 *
 * Faults, as they follow from the seed, on a fleet of real processes with mixed load; then everything is healed, must make
 * progress, and every promise of the documentation is counted. The exit code is 1 if one is broken.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const [first, seeds, minutes] = [Number(values.seed), Number(values.seeds), Number(values.minutes)];
  if (!Number.isInteger(first) || !Number.isInteger(seeds) || !(minutes > 0))
    throw new Error('--seed and --seeds are whole numbers, and --minutes more than 0');
  const say = (line: string) => {
    if (!values.json) process.stdout.write(`${line}\n`);
  };
  for (let seed = first; seed < first + seeds; seed++) {
    const report = await run({ seed, minutes, say });
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : tableOf(report));
    if (values.record) record(report);
    if (report.broken > 0) process.exitCode = 1;
  }
}

// `exit` ends the fleet.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

main().catch((error: Error) => {
  process.stderr.write(`${inspect(error)}\n`, () => process.exit(1));
});
