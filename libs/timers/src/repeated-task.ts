/** Repeats work until it is stopped. Each run starts `pauseMs` after the one before has ended: two never overlap. */
export class RepeatedTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;

  /** @param onFailure is given what a run throws; the next run starts all the same */
  constructor(
    private readonly pauseMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** The first run starts after a pause too. Does not keep the process alive. */
  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.work()
        .catch(this.onFailure)
        .then(() => this.start());
    }, this.pauseMs).unref();
  }

  /** Long work asks between its steps. */
  get isStopped(): boolean {
    return this.stopped;
  }

  /** Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
