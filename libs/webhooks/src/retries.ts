const DAY_MS = 86_400_000;
const JITTER = 0.1;

/**
 * How long to wait before the next attempt, or undefined where there is none. Up to a tenth is added, so that what
 * failed together is not sent together again. A receiver may ask for a longer wait, of up to a day.
 *
 * @param failures attempts that failed, this one included
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
