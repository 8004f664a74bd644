import type { ClientConfig } from 'pg';
import { RepeatedTask } from '#platform/scheduling';
import { LoneConnection } from '../lone-connection';
import { statement } from '../statement';

const PING = statement({ sql: 'SELECT 1' });

/** A process that was itself frozen finds one response late. */
const MISSED = 2;

/** The code of a server that starts up, so that requests get 503 and jobs are retried. */
const CANNOT_CONNECT_NOW = '57P03';

/** The pause between two questions, when a response may take so long. */
export const pauseOf = (timeoutMs: number): number => timeoutMs / 3;

/** Asks a server again and again whether it responds. It is away after two questions in a row without a response. */
export class Heartbeat {
  private readonly connection: LoneConnection;
  private readonly task: RepeatedTask;
  private missed = 0;
  private readonly waiting = new Set<(reason: Error) => void>();

  /**
   * @param name for people
   * @param timeoutMs how long a response may take
   * @param lost called when the server is away, and after each further question without a response
   */
  constructor(
    readonly name: string,
    config: ClientConfig,
    timeoutMs: number,
    private readonly lost: () => void,
  ) {
    this.connection = new LoneConnection({ ...config, application_name: 'startline nodes' }, timeoutMs);
    this.task = new RepeatedTask(
      pauseOf(timeoutMs),
      () => this.ask(),
      () => {},
    );
    this.task.start();
  }

  get isAway(): boolean {
    return this.missed >= MISSED;
  }

  /** Settles as `work` does, or fails when the server is away: at once if it is. */
  async unlessAway<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.isAway) throw this.away();
    const result = work();
    if (!(result instanceof Promise)) return result;
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      result.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  async stop(): Promise<void> {
    const stopped = this.task.stop();
    // The question that is under way fails now.
    this.connection.leave();
    await stopped;
  }

  private async ask(): Promise<void> {
    try {
      await this.connection.ask((client) => PING.run(client));
      this.missed = 0;
    } catch {
      this.missed++;
      if (this.isAway) this.leave();
    }
  }

  private leave(): void {
    for (const reject of this.waiting) reject(this.away());
    this.waiting.clear();
    this.lost();
  }

  private away(): Error {
    return Object.assign(new Error(`${this.name} does not respond`), { code: CANNOT_CONNECT_NOW });
  }
}
