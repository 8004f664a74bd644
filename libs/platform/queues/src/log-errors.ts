import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';

interface Emitter {
  name: string;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const AGAIN_MS = 60_000;
const logger = new Logger('queues');

/** Logs the errors of connections, the same one once a minute: clients connect again several times a second. */
export function logErrors(source: Emitter): void {
  let last = '';
  let at = 0;
  source.on('error', ({ message }) => {
    if (message === last && Date.now() < at + AGAIN_MS) return;
    [last, at] = [message, Date.now()];
    logger.warn({ queue: source.name, message });
  });
}

/** Logs from its beginning: BullMQ prints an error that nobody listens to, with its stack. */
export class LoggedQueue extends Queue {
  constructor(...parameters: ConstructorParameters<typeof Queue>) {
    super(...parameters);
    logErrors(this);
  }
}
