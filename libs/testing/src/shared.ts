/**
 * What several test files use: the first one starts it, and the last one closes it. In a suite it stays until the end.
 *
 *   const browser = new Shared(startBrowser, (each) => each.close());
 *   const { value, release } = await browser.use();
 */
export class Shared<T> {
  private static readonly started = new Set<Shared<any>>();
  private static isKept = false;
  private value: Promise<T> | undefined;
  private users = 0;

  constructor(
    private readonly start: () => Promise<T>,
    private readonly end: (value: T) => Promise<void>,
  ) {}

  async use(): Promise<{ value: T; release: () => Promise<void> }> {
    this.users++;
    this.value ??= this.start();
    const release = async () => {
      if (--this.users === 0 && !Shared.isKept) await this.close();
    };
    try {
      const value = await this.value;
      Shared.started.add(this);
      return { value, release };
    } catch (error) {
      // The next one tries again.
      this.users--;
      this.value = undefined;
      throw error;
    }
  }

  private async close(): Promise<void> {
    const { value } = this;
    this.value = undefined;
    Shared.started.delete(this);
    if (value) await this.end(await value);
  }

  /** Keeps what is started from now on. @returns what closes it, the last first */
  static keepAll(): () => Promise<void> {
    Shared.isKept = true;
    return async () => {
      Shared.isKept = false;
      for (const each of [...Shared.started].reverse()) await each.close();
    };
  }
}
