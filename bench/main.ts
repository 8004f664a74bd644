import { parseArgs } from 'node:util';
import type { Options } from './fixtures/compare';
import { Databases } from './fixtures/database';
import { bestTool, type Tool } from './fixtures/load';
import { log } from './fixtures/log';
import { against } from './paths/against';
import { bibs } from './paths/bibs';
import { citus } from './paths/citus';
import { consolePages } from './paths/console';
import { digests } from './paths/digests';
import { etags } from './paths/etags';
import { events } from './paths/events';
import { hostile } from './paths/hostile';
import { importing } from './paths/import';
import { interference } from './paths/interference';
import { isolation } from './paths/isolation';
import { list } from './paths/list';
import { memory } from './paths/memory';
import { peers } from './paths/peers';
import { register } from './paths/register';
import { scale } from './paths/scale';
import { sideBySide } from './paths/side-by-side';
import { single } from './paths/single';
import { storage } from './paths/storage';
import { sync } from './paths/sync';
import { timing } from './paths/timing';
import { webhooks } from './paths/webhooks';
import { keep } from './report/keep';
import { met } from './report/ratio';
import { measuredCommit, storeRelease, worseThanRelease } from './report/release';
import type { Result } from './report/result';
import { tableOf } from './report/table';

type Path = (databases: Databases, options: Options) => Promise<Result[]>;

const PATHS: Record<string, Path> = {
  list,
  single,
  register,
  timing,
  bibs,
  import: importing,
  'side-by-side': sideBySide,
  webhooks,
  events,
  etags,
  interference,
  hostile,
  memory,
  storage,
  scale,
  isolation,
};

/** Long, or with needs of their own, so they run only by name. */
const NAMED: Record<string, Path> = { against, peers, console: consolePages, citus, digests, sync };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
    entries: { type: 'string', default: '1000000' },
    largest: { type: 'string', default: '5000000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    tool: { type: 'string', default: bestTool() },
    against: { type: 'string' },
  },
});

async function main(): Promise<void> {
  const names = positionals.length ? positionals : Object.keys(PATHS);
  const all = { ...PATHS, ...NAMED };
  const unknown = names.find((name) => !all[name]);
  if (unknown) throw new Error(`There is no path ${unknown}; there are ${Object.keys(all).join(', ')}.`);
  const commit = values.release && measuredCommit();
  const databases = await Databases.start();
  const results: Result[] = [];
  try {
    const options: Options = {
      tool: values.tool as Tool,
      entries: Number(values.entries),
      largest: Number(values.largest),
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
      postmaster: databases.pid,
      against: values.against,
    };
    for (const name of names) {
      const found = (await all[name]?.(databases, options)) ?? [];
      if (!values.json) for (const result of found) process.stdout.write(`${tableOf(result)}\n`);
      results.push(...found);
    }
  } finally {
    await databases.stop();
  }
  const run = { entries: Number(values.entries), tool: values.tool, rounds: Number(values.rounds), results };
  if (values.json) process.stdout.write(`${JSON.stringify(run, null, 1)}\n`);
  log(`\nsee ${keep(names, run)}`);
  const short = results.flatMap(({ title, ratios }) =>
    ratios.filter((ratio) => !met(ratio)).map(({ what, value }) => `${title}: ${value.toFixed(2)} ${what}`),
  );
  for (const line of short) log(`falls short: ${line}`);
  for (const line of worseThanRelease(run)) log(`worse than the last release: ${line}`);
  if (commit) storeRelease(run, commit);
  if (values.check && short.length) process.exitCode = 1;
}

main().catch((error: Error) => {
  log(error.message);
  process.exitCode = 2;
});
