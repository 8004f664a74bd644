/**
 * What whoever runs the processes sees and does: logs, metrics, health, a start that says what is wrong, an end
 * that loses nothing.
 *
 *   void run(async (settings, logs) => {                       // an app's main
 *     const app = await createApi(settings, { logs });
 *     await app.listen(settings.PORT, settings.HOST);
 *     return app;
 *   });
 *   OperationsModule.forApi(settings, logs)                     // or forWorker; in an app's root module
 *   openFrontDoor(app, settings)                                // first of an http app's middleware
 *   metrics.watch('startline_jobs_open', 'Jobs that nobody has finished.', () => open);
 */
export { openFrontDoor } from './front-door';
export { Readiness } from './health/readiness';
export { Logs } from './logs/logs';
export { Metrics } from './metrics/metrics';
export { OperationsModule } from './operations.module';
export { run } from './run';
export { Shutdown } from './shutdown/shutdown';
