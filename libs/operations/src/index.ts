/**
 * What whoever runs the processes sees and does: logs, metrics, traces, health, a start that says what is wrong, an end
 * that loses nothing.
 *
 *   void run(async (settings, logs) => {                       // an app's main
 *     const app = await createApi(settings, { logs });
 *     await app.listen(settings.PORT, settings.HOST);
 *     return app;
 *   });
 *   OperationsModule.forApi(settings, logs)                     // or forWorker; in an app's root module
 *   useRequestMiddleware(app, settings)                                // first of an http app's middleware
 *   metrics.importsAccepted.inc({ surface });                   // where it happens
 *   metrics.watch('startline_pool_idle', 'Open connections that nobody uses.', () => pool.idleCount);
 *   metrics.ask('imports', { gauges, ask: async () => […] });   // what the database knows, once a second at most
 *   await inSpan('import chunk', { attributes: { … } }, async () => …);
 */

export { Readiness } from './health/readiness';
export { Logs } from './logs/logs';
export type { Sample } from './metrics/asked-gauges';
export { Metrics } from './metrics/metrics';
export { OperationsModule } from './operations.module';
export { useRequestMiddleware } from './request-middleware';
export { run } from './run';
export { Shutdown } from './shutdown/shutdown';
export { continuing, currentTraceparent, inSpan } from './tracing/spans';
