/**
 * Running a process: start, shutdown, logs, metrics, traces and readiness.
 *
 *   void run(async (settings, logs) => {                       // an app's main
 *     const app = await createApi(settings, { logs });
 *     await app.listen(settings.PORT, settings.HOST);
 *     return app;
 *   });
 *   OperationsModule.of(logs)                                   // in an app's root module
 *   readonly accepted = this.metrics.counter({ name, help, labelNames: ['surface'] });   // in its domain
 *   metrics.watch('startline_pool_idle', 'Idle connections of the pool.', () => pool.idleCount);
 *   metrics.ask('imports', { gauges, ask: async () => […] });   // a query at a scrape, at most once per second
 *   await inSpan('import chunk', { attributes: { … } }, async () => …);
 */

export { Readiness } from './health/readiness';
export { Logs } from './logs/logs';
export type { Sample } from './metrics/asked-gauges';
export { Metrics } from './metrics/metrics';
export { OperationsModule } from './operations.module';
export { OperationsServer } from './operations-server';

export { run } from './run';
export { Shutdown } from './shutdown/shutdown';
export { continuing, currentTraceparent, inSpan, TRACER } from './tracing/spans';
export { Tracing } from './tracing/tracing';
