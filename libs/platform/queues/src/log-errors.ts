import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';

interface Emitter {
  name: string;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const AGAIN_MS = 60_000;
/** The driver's words for it. */
const NOT_CONNECTED = /^Stream isn't writeable/;
const logger = new Logger('queues');

/** Logs errors of a queue, the same one once a minute: clients connect again several times a second. */
export function warningsOf(queue: string): (error: Error) => void {
  let last = '';
  let at = 0;
  return ({ message }) => {
    if (message === last && Date.now() < at + AGAIN_MS) return;
    [last, at] = [message, Date.now()];
    logger.warn({ queue, message: NOT_CONNECTED.test(message) ? 'Redis is not connected' : message });
  };
}

export function logErrors(source: Emitter): void {
  source.on('error', warningsOf(source.name));
}

/** Logs from its beginning: BullMQ prints an error that nobody listens to, with its stack. */
export class LoggedQueue extends Queue {
  constructor(...parameters: ConstructorParameters<typeof Queue>) {
    super(...parameters);
    logErrors(this);
  }

  /** A backend that is away needs no goodbye. */
  override close(): Promise<void> {
    return super.close().catch(warningsOf(this.name));
  }
}
