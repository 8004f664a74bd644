const DAY_MS = 86_400_000;
const JITTER = 0.1;

/**
 * The wait until the next attempt, or `undefined` if there is none. Adds up to a tenth at random, so that retries spread
 * out. A receiver can request a longer wait, of up to a day.
 *
 * @param failures the number of failed attempts, including this one
 */
export function nextAttemptMs(
  schedule: readonly number[],
  failures: number,
  retryAfterMs: number | null,
): number | undefined {
  const seconds = schedule[failures - 1];
  if (seconds === undefined) return undefined;
  const wait = seconds * 1_000 * (1 + Math.random() * JITTER);
  return Math.max(wait, Math.min(retryAfterMs ?? 0, DAY_MS));
}
