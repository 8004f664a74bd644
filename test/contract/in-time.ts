/**
 * Repeats a slow request up to twice: it only counts as slow if it is slow each time, because the machine may be busy.
 */
export async function inTime<T>(withinMs: number, ask: () => Promise<T>): Promise<T> {
  const times: number[] = [];
  while (times.length < 3) {
    const start = performance.now();
    const answer = await ask();
    const ms = performance.now() - start;
    if (ms < withinMs) return answer;
    times.push(Math.round(ms));
  }
  throw new Error(`It took ${times.join(', ')} ms`);
}
