/** Former names of metrics. Both names are served for one release, so that dashboards and alerts can follow. */
export const RENAMED_METRICS: Readonly<Record<string, string>> = {
  startline_horizon_lag_seconds: 'startline_watermark_lag_seconds',
  startline_upkeep_success_timestamp_seconds: 'startline_maintenance_success_timestamp_seconds',
  startline_wakeups_lost_total: 'startline_enqueue_failures_total',
};

/** @param text in the Prometheus text format */
export function withFormerNames(text: string): string {
  const former = Object.entries(RENAMED_METRICS).flatMap(([old, name]) =>
    text
      .split('\n')
      .filter((line) =>
        line.startsWith('# ') ? line.split(' ')[2] === name : /^\w+/.exec(line)?.[0] === name,
      )
      .map((line) => line.replace(name, old)),
  );
  return former.length ? `${text}${former.join('\n')}\n` : text;
}
