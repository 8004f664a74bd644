import { hostname } from 'node:os';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { releaseVersion, SETTINGS, type Settings } from '#platform/config';
import { Database, newId, statement } from '#platform/database';
import { RepeatedTask } from '#platform/scheduling';
import { Activity } from './fleet/activity';

const ANNOUNCE = statement({
  parameters: ['uuid', 'text', 'text', 'text[]', 'float8', 'jsonb'],
  sql: `
    INSERT INTO workers (id, host, version, queues, expires_at, activity)
    VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms', $6)
    ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), expires_at = excluded.expires_at, activity = excluded.activity
  `,
});

/** Rows of killed workers stay for a day, so that doctor can report when the last one was seen. */
const FORGET = statement({
  sql: `DELETE FROM workers WHERE expires_at < clock_timestamp() - interval '1 day'`,
});

const LEAVE = statement({
  parameters: ['uuid'],
  sql: 'DELETE FROM workers WHERE id = $1',
});

/** Announces this process as a worker while it runs: one small write, four times in SILENT_MS. */
@Injectable()
export class Announcement implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = newId();
  private readonly version = releaseVersion();
  private readonly logger = new Logger('workers');
  private readonly task = new RepeatedTask(
    this.settings.SILENT_MS / 4,
    () => this.announce(),
    ({ message }) => this.logger.warn({ message }),
  );

  constructor(
    private readonly database: Database,
    private readonly activity: Activity,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.announce()
      .then(() => this.database.onEveryServer((on) => FORGET.run(on)))
      .catch(({ message }) => this.logger.warn({ message }));
    this.task.start();
  }

  /** A worker that is stopping takes no new jobs. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await this.database
      .onEveryServer((on) => LEAVE.run(on, [this.id]))
      .catch(({ message }) => this.logger.warn({ message }));
  }

  private async announce(): Promise<void> {
    const { WORKER_QUEUES, SILENT_MS } = this.settings;
    const report = JSON.stringify(this.activity.report());
    const values = [this.id, hostname(), this.version, WORKER_QUEUES, SILENT_MS, report] as const;
    await this.database.onEveryServer((on) => ANNOUNCE.run(on, values));
  }
}
