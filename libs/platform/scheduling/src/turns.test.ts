import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { Turns } from './turns';

it('starts a bounded amount of work in a turn of the event loop, of owners in turn', async () => {
  const turns = new Turns(2);
  const started: string[] = [];
  for (const owner of ['noisy', 'noisy', 'noisy', 'noisy', 'other', 'other', 'quiet'])
    void turns.next(owner).then(() => started.push(owner));
  const seen: number[] = [];
  while (started.length < 7) {
    await turnOfLoop();
    seen.push(started.length);
  }
  expect(started.join(' ')).toBe('noisy other quiet noisy other noisy noisy');
  expect(seen.filter((count) => count > 0)).toEqual([2, 4, 6, 7]);
});

it('starts work that comes later', async () => {
  const turns = new Turns(1);
  await turns.next('a');
  await expect(Promise.all([turns.next('a'), turns.next('b')])).resolves.toHaveLength(2);
});
