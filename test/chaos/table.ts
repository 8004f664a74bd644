import type { Report } from './run';

/** The report for people: what happened, and each promise with how often it was broken. */
export function tableOf({
  seed,
  minutes,
  faults,
  skipped,
  answered,
  unavailable,
  counted,
  broken,
  examples,
}: Report): string {
  const total = Object.values(answered).reduce((sum, count) => sum + count, 0);
  const lines = [
    '',
    `Seed ${seed}, ${minutes} minutes. ${total} requests succeeded, ${unavailable} got 503 or no response.`,
    `Faults: ${Object.entries(faults)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', ')}.`,
    ...skipped.map((reason) => `Skipped: ${reason}.`),
    '',
    ...counted.map(
      ({ kind, what, checked, broken: wrong }) =>
        `${wrong > 0 ? 'BROKEN' : '    ok'}  ${kind.padEnd(15)}  ${what.padEnd(56)} ${String(wrong).padStart(6)} of ${checked}`,
    ),
    '',
    ...examples.map((example) => `  ${example}`),
    broken === 0 ? `Seed ${seed}: every promise was kept.` : `Seed ${seed}: ${broken} promises were broken.`,
  ];
  return `${lines.join('\n')}\n`;
}
