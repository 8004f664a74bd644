import type { FleetState } from './fleet-state';

const NAMES = {
  imports: 'Import rows',
  'race-day': 'Race-day messages',
  persons: 'Work on persons',
  webhooks: 'Webhook deliveries',
};
const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
  body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100%; margin: 0 0 2rem }
  th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); vertical-align: top }
  td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
  .dim { opacity: .65 } .frame { overflow-x: auto }
  .wanted { font-size: 1.5rem; margin: 0 0 2rem }`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const number = (value: number) => Math.round(value).toLocaleString('en-GB');

function duration(seconds: number): string {
  if (seconds < 1) return '–';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

function table(headings: string[], rows: string[][], numbers: number[]): string {
  const cell = (kind: 'th' | 'td') => (content: string, column: number) =>
    `<${kind}${numbers.includes(column) ? ' class="number"' : ''}>${content}</${kind}>`;
  const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
  return `<div class="frame"><table><thead><tr>${headings.map(cell('th')).join('')}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** For operators: what waits, and which worker does what. Loads itself again every five seconds. */
export function fleetPage({ at, workersWanted, running, work, workers }: FleetState): string {
  const since = (time: Date | string) =>
    `${duration(Math.max(1, (Date.parse(at) - new Date(time).getTime()) / 1_000))}`;
  const open = work.map(({ queue, units, parts, waitingSeconds, speed, isMeasured }) => [
    NAMES[queue],
    number(units),
    number(parts),
    duration(waitingSeconds),
    `${number(speed)}/s${isMeasured ? '' : ' <span class="dim">(assumed)</span>'}`,
    duration(units / speed),
  ]);
  const each = workers.map(({ id, host, version, queues, startedAt, jobs, doing, speeds }) => [
    `${escaped(host)}<br><span class="dim">${escaped(version)}, ${id}</span>`,
    since(startedAt),
    escaped(queues.join(', ')),
    Object.entries(speeds)
      .map(([queue, speed]) => `${escaped(queue)} ${number(speed)}/s`)
      .join('<br>') || '<span class="dim">not measured yet</span>',
    [
      ...doing.map((job) => `${escaped(job.queue)} of ${escaped(job.organizationId)}, ${since(job.since)}`),
      ...(jobs > doing.length ? [`and ${number(jobs - doing.length)} more`] : []),
    ].join('<br>') || '<span class="dim">nothing</span>',
  ]);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Workers · Startline</title>
<style>${STYLE}</style>
<h1>Workers</h1>
<p class="wanted">${number(running)} running, ${number(workersWanted)} wanted</p>
<h2>Open work</h2>
${table(['', 'Open', 'Parts', 'Waits for', 'Speed of a worker', 'One worker needs'], open, [1, 2, 3, 4, 5])}
<h2>Workers</h2>
${table(['Worker', 'Runs for', 'Queues', 'Speed', 'Does'], each, [1])}
${running > workers.length ? `<p>and ${number(running - workers.length)} more</p>` : ''}
<p class="dim">As of ${escaped(at)}. <a href="/workers">As JSON</a></p>
</html>
`;
}
