import { CommanderError } from 'commander';
import { OrganizationRefused, UnreadableFile } from '#domain/catalogue';
import { StaffRefused } from '#domain/staff';
import { WebhookRefused } from '#domain/webhooks';
import { SendRefused, StartlineError } from '#libs/client';
import { KeyRefused } from '#platform/access';
import { ClusterNotReady, cannotConnect, isNotMigrated, unreachableFor } from '#platform/database';
import { DatabaseFull } from './start-list-files';

/** What `error` can be, for programs: docs/command-line.md lists them. */
export const ERROR_CODES = [
  'INVALID_COMMAND',
  'NOT_FOUND',
  'NOT_PENDING',
  'CANCELLED',
  'NO_CAPACITY_REMAINING',
  'PARTLY_DECIDED',
  'REFUSED',
  'ALREADY_EXISTS',
  'UNDECIDED',
  'INVALID_FILE',
  'INVALID_ROWS',
  'NO_DATABASE',
  'API_UNREACHABLE',
  'DATABASE_UNREACHABLE',
  'DATABASE_FULL',
  'NOT_MIGRATED',
  'NOT_OWNER',
  'CLUSTER_NOT_READY',
  'NO_SIGNING_SECRET',
  'NO_WEBHOOK_SECRETS_KEY',
  'ERASURE_SECRET',
  'UNHEALTHY',
  'UNEXPECTED',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A failure that the user can fix; the message says how. */
export class CommandError extends Error {
  /**
   * @param details additional properties in the JSON output
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: object = {},
  ) {
    super(message);
  }
}

export interface Failure {
  error: ErrorCode;
  message: string;
}

/** The JSON output for a failure; the text output is its message. The environment says which database was meant. */
export function failureOf(error: unknown, environment: NodeJS.ProcessEnv): Failure & object {
  if (error instanceof CommandError) return { error: error.code, message: error.message, ...error.details };
  if (
    error instanceof KeyRefused ||
    error instanceof OrganizationRefused ||
    error instanceof StaffRefused ||
    error instanceof WebhookRefused
  ) {
    return { error: 'REFUSED', message: error.message };
  }
  if (error instanceof ClusterNotReady) {
    return { error: 'CLUSTER_NOT_READY', message: error.message, missing: error.missing } as Failure;
  }
  if (error instanceof SendRefused) return { error: error.code, message: error.message };
  if (error instanceof StartlineError) {
    const { status, message, requestId } = error;
    return { error: 'REFUSED', message, ...{ status, requestId } };
  }
  if (error instanceof DatabaseFull) return { error: 'DATABASE_FULL', message: error.message };
  if (error instanceof UnreadableFile) return { error: 'INVALID_FILE', message: error.message };
  if (error instanceof CommanderError) {
    const message =
      error.code === 'commander.help' ? 'Specify a command. To list commands, use --help.' : error.message;
    return { error: 'INVALID_COMMAND', message: message.replace(/^error: /, '') };
  }
  const { code, message } = error as { code?: string; message?: string };
  const reason = unreachableFor(error);
  if (reason) {
    const { DATABASE_OWNER_URL, DATABASE_URL } = environment;
    const message = cannotConnect({ DATABASE_OWNER_URL, DATABASE_URL }, reason);
    return { error: 'DATABASE_UNREACHABLE', message };
  }
  if (isNotMigrated({ code })) {
    return {
      error: 'NOT_MIGRATED',
      message: 'The database is not up to date. Run "npm run startline -- migrate" first.',
    };
  }
  return { error: 'UNEXPECTED', message: message || String(error) };
}

/** Of `import send`: 2 if the command or the file is refused, 3 if a person must decide, 4 if the API refuses or is away. Of others 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof SendRefused || error instanceof CommanderError) return error.exitCode;
  return error instanceof StartlineError ? 4 : 1;
}
