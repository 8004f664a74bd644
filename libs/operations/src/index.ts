/**
 * Running a process: logs, metrics, traces, readiness, a start that explains its failures, and a graceful end.
 *
 *   void run(async (settings, logs) => {                       // an app's main
 *     const app = await createApi(settings, { logs });
 *     await app.listen(settings.PORT, settings.HOST);
 *     return app;
 *   });
 *   OperationsModule.of(logs)                                   // in an app's root module
 *   readonly accepted = this.metrics.counter({ name, help, labelNames: ['surface'] });   // in its domain
 *   metrics.watch('startline_pool_idle', 'Open connections that nobody uses.', () => pool.idleCount);
 *   metrics.ask('imports', { gauges, ask: async () => […] });   // what the database knows, once a second at most
 *   await inSpan('import chunk', { attributes: { … } }, async () => …);
 */

export { Readiness } from './health/readiness';
export { Logs } from './logs/logs';
export type { Sample } from './metrics/asked-gauges';
export { Metrics } from './metrics/metrics';
export { OperationsModule } from './operations.module';

export { run } from './run';
export { Shutdown } from './shutdown/shutdown';
export { continuing, currentTraceparent, inSpan, TRACER } from './tracing/spans';
export { Tracing } from './tracing/tracing';
