import { getPriority, setPriority } from 'node:os';
import { requireDatabase, requireRedis } from '#platform/database';
import { run } from '#platform/process';
import { createWorker } from './create-worker';

/** So that the api takes precedence on the same machine. */
const NICE = 5;

void run('worker', async (settings, logs) => {
  // Only increases the niceness: a decrease needs privileges.
  setPriority(Math.max(getPriority(), NICE));
  await requireDatabase(settings);
  await requireRedis(settings);
  return createWorker(settings, logs);
});
