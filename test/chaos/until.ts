import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;
const WITHIN_MS = 120_000;

/** Waits for a condition. @throws Error with its name */
export async function until<T>(
  name: string,
  ask: () => Promise<T | undefined | false>,
  withinMs = WITHIN_MS,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`It did not come about in time that ${name}`);
    await sleep(EVERY_MS);
  }
}
