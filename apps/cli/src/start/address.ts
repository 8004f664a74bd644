import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The URL for clients on this machine of an api that listens there. */
export function urlOf(host: string, port: number): string {
  const near = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
}

const PROBE_MS = 2_000;

/** Whether a Startline api responds at this address. */
export const isStartline = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })
    .then(async (answer) => ((await answer.json()) as { name?: unknown }).name === 'Startline')
    .catch(() => false);

/**
 * @param patienceMs how long to wait for the port to become free
 * @throws Error that says how to proceed
 */
export async function requireFreePort(host: string, port: number, patienceMs: number): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const failure = await failureToListen(host, port);
    if (!failure) return;
    if (failure.code === 'EADDRNOTAVAIL' || failure.code === 'ENOTFOUND')
      throw new Error(`HOST: can't listen on ${host}: this machine has no such address`);
    if (failure.code !== 'EADDRINUSE') throw new Error(`Can't listen on ${host}:${port}: ${failure.message}`);
    if (Date.now() >= end)
      throw new Error(
        `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
      );
    await sleep(50);
  }
}

const failureToListen = (host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
