import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;
const WITHIN_MS = 240_000;

/** Waits for a condition. A failure of `ask` counts as not yet. @throws Error with its name, and the last failure */
export async function until<T>(
  name: string,
  ask: () => Promise<T | undefined | false>,
  withinMs = WITHIN_MS,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    let cause: unknown;
    const answer = await ask().catch((error: unknown) => {
      cause = error;
      return undefined;
    });
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`It did not come about in time that ${name}`, { cause });
    await sleep(EVERY_MS);
  }
}
