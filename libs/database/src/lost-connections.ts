import type { Client, Pool } from 'pg';

/**
 * Whoever uses a connection is told of its end by the query. Between two queries of a transaction there is none,
 * and at that moment an error that nobody listens to would end the process.
 */
export function outliveConnections(pool: Pool): void {
  const known = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    (client as unknown as Client).on('error', () => {});
  });
}
