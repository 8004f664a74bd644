import { getPriority, setPriority } from 'node:os';
import { run } from '#platform/process';
import { createWorker } from './create-worker';

void run('worker', (settings, logs) => {
  // Only increases the niceness: a decrease needs privileges.
  setPriority(Math.max(getPriority(), settings.WORKER_NICE));
  return createWorker(settings, logs);
});
