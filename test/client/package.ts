import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const PACKED = resolve(__dirname, '../../dist/client.tgz');

/** Unpacks the client of the last build into `node_modules` of a folder, like npm. */
export async function installClient(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules/@startline/client');
  mkdirSync(installed, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', PACKED, '--strip-components', '1', '-C', installed]);
}
