import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '#platform/config';
import type { Database } from '#platform/database';
import { CatalogueFiles } from './catalogue-files.service';

const FROM_SOURCE = ['-C', 'source', '-r', '@swc-node/register'];

/** Each file is read in a process of its own. With the entities and Nest, it would take a second of CPU to load. */
it('is read by a process that loads neither TypeORM nor Nest', async () => {
  const heavy = `Object.keys(require.cache).filter((path) => /node_modules.(typeorm|@nestjs|pg)\\b/.test(path)).join()`;
  const program = `require(${JSON.stringify(require.resolve('./file-process'))}); ${heavy}`;
  const { stdout } = await promisify(execFile)(process.execPath, [...FROM_SOURCE, ...['-p', program]]);
  expect(stdout.trim()).toBe('');
});

const folder = () => mkdtempSync(join(tmpdir(), 'startline-upload-'));

it('leaves no file if the API ends by force', async () => {
  const own = folder();
  const child = fork(require.resolve('./file-process'), { execArgv: FROM_SOURCE, env: { TMPDIR: own } });
  child.send({ file: { name: 'a.csv', content: '' } });
  await once(child, 'message');
  expect(existsSync(join(own, 'file.csv'))).toBe(true);
  child.disconnect();
  await once(child, 'exit');
  expect(existsSync(own)).toBe(false);
});

it('removes what is left of earlier files at start, and nothing that may be in use', async () => {
  const [left, used] = [folder(), folder()];
  utimesSync(left, 0, 0);
  await new CatalogueFiles({ TURN_WAIT_MS: 1 } as Settings, {} as Database).onModuleInit();
  expect([existsSync(left), existsSync(used)]).toEqual([false, true]);
  rmSync(used, { recursive: true });
});

it('ends when nobody waits for the answer any more, and does not begin for nobody', async () => {
  const files = new CatalogueFiles({ TURN_WAIT_MS: 1_000 } as Settings, {} as Database);
  const file = { name: 'a.jsonl', content: Buffer.from('{"record":"event"}').toString('base64') };
  const read = (gone: AbortSignal) => files.read('organization', file, gone);
  expect(await read(new AbortController().signal)).toBeDefined();
  const gone = new AbortController();
  const reading = read(gone.signal);
  gone.abort();
  await expect(reading).rejects.toThrow();
  await expect(read(gone.signal)).rejects.toThrow('overloaded');
});
