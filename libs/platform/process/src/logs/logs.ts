import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import type { Settings } from '#platform/config';
import { failureOf } from './failure';
import { masked } from './mask';

/** Contexts of the framework's start, which are only logged at debug level. `run` logs failures. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'ExceptionHandler',
]);

/** A write takes as much CPU as ten lines of a request. */
const WRITE_BYTES = 4_096;
/** How late a line is at most. Lines before the end of a process are written, but for `kill -9`. */
const FLUSH_MS = 100;

/** Structured logs: one JSON object per line on standard output, including Nest's. */
export class Logs implements LoggerService {
  readonly lines: Logger;

  constructor(
    { LOG_LEVEL }: Pick<Settings, 'LOG_LEVEL'>,
    readonly process: 'api' | 'worker' | 'import',
    destination: DestinationStream = pino.destination({
      fd: 1,
      sync: false,
      minLength: WRITE_BYTES,
      periodicFlush: FLUSH_MS,
    }),
  ) {
    this.lines = pino(
      {
        level: LOG_LEVEL,
        base: { process },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        serializers: { err: failureOf },
        hooks: { streamWrite: masked },
      },
      destination,
    );
  }

  log(message: unknown, ...details: unknown[]): void {
    this.write('info', message, details);
  }

  error(message: unknown, ...details: unknown[]): void {
    this.write('error', message, details);
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.write('warn', message, details);
  }

  debug(message: unknown, ...details: unknown[]): void {
    this.write('debug', message, details);
  }

  verbose(message: unknown, ...details: unknown[]): void {
    this.write('trace', message, details);
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.write('fatal', message, details);
  }

  /** @param details Nest's arguments: optionally a stack, and the context at the end */
  private write(asked: Level, message: unknown, details: unknown[]): void {
    const context = details.at(-1);
    const level = FRAMEWORK.has(context as string) ? 'debug' : asked;
    if (message instanceof Error) {
      this.lines[level]({ context, err: message });
      return;
    }
    if (typeof message === 'object') {
      this.lines[level]({ context, ...message });
      return;
    }
    const stack = details.length > 1 ? details[0] : undefined;
    this.lines[level]({ context, ...(stack !== undefined && { err: { message, stack } }) }, String(message));
  }
}
