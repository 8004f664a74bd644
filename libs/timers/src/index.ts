/**
 * Work that repeats while a process runs.
 *
 *   private readonly task = new RepeatedTask(settings.SWEEP_MS, () => this.sweep(), (error) => this.logger.error(error));
 *   onApplicationBootstrap() { this.task.start(); }
 *   onApplicationShutdown() { return this.task.stop(); }
 */
export { RepeatedTask } from './repeated-task';
