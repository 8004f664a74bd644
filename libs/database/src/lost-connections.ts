import type { Client, Pool } from 'pg';

/**
 * A running query reports a lost connection. Between two queries of a transaction, the error event has no listener and
 * would end the process, so this adds one.
 */
export function outliveConnections(pool: Pool): void {
  const known = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    (client as unknown as Client).on('error', () => {});
  });
}
