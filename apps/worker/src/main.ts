import { getPriority, setPriority } from 'node:os';
import { run } from '#libs/operations';
import { createWorker } from './create-worker';

void run('worker', (settings, logs) => {
  // Whoever started it may have had it stand back further; to come forward takes privileges.
  setPriority(Math.max(getPriority(), settings.WORKER_NICE));
  return createWorker(settings, logs);
});
