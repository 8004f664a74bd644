/**
 * Fails if a request costs more processor time, which other processes do not use up. The time of PostgreSQL is not included: its
 * statements have their own timeout.
 */
export async function inTime<T>(cpuMs: number, ask: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const answer = await ask();
  const { user, system } = process.cpuUsage(before);
  const ms = Math.round((user + system) / 1_000);
  if (ms >= cpuMs) throw new Error(`It took ${ms} ms of processor time`);
  return answer;
}
