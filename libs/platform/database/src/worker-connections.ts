import type { Settings } from '#platform/config';
import { databaseUrlOf } from './require-database';

/** How long a statement of a worker may take: nobody waits for its response, and a chunk takes longer than a request. */
export const workerStatementMs = (settings: Pick<Settings, 'STATEMENT_TIMEOUT_MS'>): number =>
  4 * settings.STATEMENT_TIMEOUT_MS;

/** The connections of a worker, and of a separate process of it. */
export const workerConnections = (settings: Settings) => ({
  url: databaseUrlOf(settings),
  applicationName: 'startline worker',
  poolWaitMs: workerStatementMs(settings),
  statementTimeoutMs: workerStatementMs(settings),
  idleTransactionMs: settings.SILENT_MS,
  nodeTimeoutMs: settings.NODE_TIMEOUT_MS,
  erasureSecret: settings.ERASURE_SECRET,
  // It serves no lists.
  watermarkMs: 60_000,
});
