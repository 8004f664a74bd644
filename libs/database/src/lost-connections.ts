import type { Client, Pool } from 'pg';
import { socketOf } from './hosts';

/**
 * A running query reports a lost connection. Between two queries of a transaction, the error event has no listener and
 * would end the process, so this adds one.
 *
 * A connection that is lost without a word, such as by a firewall, only shows in a query that times out. pg reports that
 * query but keeps the connection, where the next query would wait for the same response. So this closes the connection.
 */
export function outliveConnections(pool: Pool): void {
  const known = new WeakSet<object>();
  const { query_timeout: silenceMs } = pool.options;
  pool.on('acquire', (acquired) => {
    if (known.has(acquired)) return;
    known.add(acquired);
    const client = acquired as unknown as Client & { readyForQuery: boolean };
    client.on('error', () => {});
    if (!silenceMs) return;
    const socket = socketOf(client);
    socket.setTimeout(silenceMs, () => {
      if (!client.readyForQuery) socket.destroy();
    });
  });
}
