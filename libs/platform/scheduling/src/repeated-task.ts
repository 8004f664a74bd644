/** Repeats work until it is stopped. Each run starts `pauseMs` after the previous one ended, so runs never overlap. */
export class RepeatedTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;

  /**
   * @param work long work begins no further step when `isStopped`
   * @param onFailure receives the error of a run; the next run starts nevertheless
   */
  constructor(
    private readonly pauseMs: number,
    private readonly work: (isStopped: () => boolean) => Promise<unknown>,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** The first run starts after a pause. Does not keep the process alive. */
  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.work(() => this.stopped)
        .catch(this.onFailure)
        .then(() => this.start());
    }, this.pauseMs).unref();
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
