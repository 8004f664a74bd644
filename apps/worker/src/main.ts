import { setPriority } from 'node:os';
import { run } from '#libs/operations';
import { createWorker } from './create-worker';

void run('worker', (settings, logs) => {
  setPriority(settings.WORKER_NICE);
  return createWorker(settings, logs);
});
