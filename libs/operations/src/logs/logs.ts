import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import type { Settings } from '#libs/config';
import { failureOf } from './failure';
import { masked } from './mask';

/** The framework's account of its own start, route by route: seldom wanted. Its failures are said by `run`. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'ExceptionHandler',
]);

/** Structured logs: one JSON object a line, on standard output. Nest's own lines go the same way. */
export class Logs implements LoggerService {
  readonly lines: Logger;

  constructor(
    { LOG_LEVEL }: Pick<Settings, 'LOG_LEVEL'>,
    readonly process: 'api' | 'worker',
    destination: DestinationStream = pino.destination({ fd: 1, sync: false }),
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

  /** @param details as Nest gives them: perhaps a stack, and the name of whoever logs at the end */
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
