import { CommanderError } from 'commander';
import { KeyRefused } from '#libs/access';
import { OrganizationRefused, UnreadableFile } from '#libs/catalogue';
import { StaffRefused } from '#libs/staff';
import { WebhookRefused } from '#libs/webhooks';

/** A failure that the person who called can do something about; the message says what. */
export class CommandError extends Error {
  /**
   * @param code for programs, such as `NOT_FOUND`
   * @param details shown to programs beside the message
   */
  constructor(
    readonly code: string,
    message: string,
    readonly details: object = {},
  ) {
    super(message);
  }
}

export interface Failure {
  error: string;
  message: string;
}

const CONNECTION: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '57P03': 'it is starting up or shutting down',
};
const NOT_MIGRATED = new Set(['42P01', '42703', '42883']);

/** What a program is told of a failure; people get the message. */
export function failureOf(error: unknown): Failure & object {
  if (error instanceof CommandError) return { error: error.code, message: error.message, ...error.details };
  if (
    error instanceof KeyRefused ||
    error instanceof OrganizationRefused ||
    error instanceof StaffRefused ||
    error instanceof WebhookRefused
  ) {
    return { error: 'REFUSED', message: error.message };
  }
  if (error instanceof UnreadableFile) return { error: 'INVALID_FILE', message: error.message };
  if (error instanceof CommanderError) {
    const message = error.code === 'commander.help' ? 'Name a command; --help lists them.' : error.message;
    return { error: 'INVALID_COMMAND', message: message.replace(/^error: /, '') };
  }
  const { code, message } = error as { code?: string; message?: string };
  if (code && CONNECTION[code]) {
    return { error: 'DATABASE_UNREACHABLE', message: `Can't connect to the database: ${CONNECTION[code]}.` };
  }
  if (code && NOT_MIGRATED.has(code)) {
    return {
      error: 'NOT_MIGRATED',
      message: 'The database is not up to date: run "npm run startline -- migrate" first.',
    };
  }
  return { error: 'UNEXPECTED', message: message || String(error) };
}
