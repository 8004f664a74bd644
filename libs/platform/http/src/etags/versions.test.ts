import type { Database } from '#platform/database';
import { type Version, Versions } from './versions';

/** A database whose reads end when the test says so. */
class Reads {
  readonly begun: { end(version: string): void; fail(): void }[] = [];
  readonly versions = new Versions({ of: () => this } as unknown as Database);

  execute(): Promise<{ rows: Version[] }> {
    return new Promise((resolve, reject) => {
      this.begun.push({
        end: (version) => resolve({ rows: [{ version, changedAt: null }] }),
        fail: () => reject(new Error('lost')),
      });
    });
  }

  async read(organizationId = 'a'): Promise<string> {
    return (await this.versions.read(organizationId)).version;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('requests that come while a version is read share the next read, which begins after them', async () => {
  const reads = new Reads();
  const first = reads.read();
  const others = [reads.read(), reads.read()];
  await settled();
  expect(reads.begun).toHaveLength(1);
  reads.begun[0]?.end('1');
  await settled();
  expect(reads.begun).toHaveLength(2);
  const later = reads.read();
  reads.begun[1]?.end('2');
  await settled();
  reads.begun[2]?.end('3');
  expect(await Promise.all([first, ...others, later])).toEqual(['1', '2', '2', '3']);
  const alone = reads.read();
  reads.begun[3]?.end('4');
  expect(await alone).toBe('4');
});

it('organizations do not wait for each other', async () => {
  const reads = new Reads();
  const both = [reads.read('a'), reads.read('b')];
  reads.begun[1]?.end('b');
  reads.begun[0]?.end('a');
  expect(await Promise.all(both)).toEqual(['a', 'b']);
});

it('a read that fails is not shared with those who came after it began', async () => {
  const reads = new Reads();
  const [first, second] = [reads.read(), reads.read()];
  const failure = expect(first).rejects.toThrow('lost');
  reads.begun[0]?.fail();
  await failure;
  await settled();
  reads.begun[1]?.end('2');
  expect(await second).toBe('2');
});
