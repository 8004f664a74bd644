import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Each file is read in a process of its own. With the entities and Nest, it would take a second of CPU to load. */
it('is read by a process that loads neither TypeORM nor Nest', async () => {
  const heavy = `Object.keys(require.cache).filter((path) => /node_modules.(typeorm|@nestjs|pg)\\b/.test(path)).join()`;
  const program = `require(${JSON.stringify(require.resolve('./file-process'))}); ${heavy}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['-C', 'source', '-r', '@swc-node/register'],
    ...['-p', program],
  ]);
  expect(stdout.trim()).toBe('');
});
