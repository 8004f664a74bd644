import type { Client, Pool } from 'pg';
import { socketOf } from './lone-connection';

/** The connections of a pool that it has handed out since they were made. */
const used = new WeakMap<Pool, Set<Client>>();

/**
 * A running query reports a lost connection. Between two queries of a transaction, the error event has no listener and
 * would end the process, so this adds one.
 *
 * A connection that is lost without a word, such as by a firewall, only shows in a query that times out. pg reports that
 * query but keeps the connection, where the next query would wait for the same response. So this closes the connection.
 */
export function outliveConnections(pool: Pool): void {
  const known = new Set<Client>();
  used.set(pool, known);
  const { query_timeout: silenceMs } = pool.options;
  pool.on('remove', (removed) => known.delete(removed as unknown as Client));
  pool.on('acquire', (acquired) => {
    const client = acquired as unknown as Client & { readyForQuery: boolean };
    if (known.has(client)) return;
    known.add(client);
    client.on('error', () => {});
    if (!silenceMs) return;
    const socket = socketOf(client);
    socket.setTimeout(silenceMs, () => {
      if (!client.readyForQuery) socket.destroy();
    });
  });
}

/** Closes all connections to a server that does not respond. Their queries fail now, and not after their timeout. */
export function dropConnections(pool: Pool): void {
  for (const client of used.get(pool) ?? []) socketOf(client).destroy();
}
