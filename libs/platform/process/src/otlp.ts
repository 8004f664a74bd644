/** Where a collector takes a kind of report. @param endpoint OTEL_EXPORTER_OTLP_ENDPOINT */
export const otlpUrl = (endpoint: string, kind: 'traces' | 'metrics'): string =>
  `${endpoint.replace(/\/+$/, '')}/v1/${kind}`;
