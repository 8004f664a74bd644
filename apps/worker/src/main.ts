import { run } from '#libs/operations';
import { createWorker } from './create-worker';

void run('worker', (settings, logs) => createWorker(settings, logs));
