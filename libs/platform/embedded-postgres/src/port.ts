import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The port of the previous start, so that tools can reconnect; another port if that one is in use. */
export async function portIn(file: string): Promise<number> {
  const last = remembered(file);
  const port = (last && (await freePort(last))) || (await freePort(0));
  if (!port) throw new Error('There is no free port on 127.0.0.1 for PostgreSQL.');
  if (port !== last) writeFileSync(file, String(port), { mode: 0o600 });
  return port;
}

function remembered(file: string): number {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}

const freePort = (wanted: number): Promise<number | undefined> =>
  new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(undefined));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' ? address?.port : undefined));
    });
  });
