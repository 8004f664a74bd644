import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { inRounds } from '#libs/fair-share';
import { ORGANIZATIONS_TO_REFRESH, refreshEntries } from '#libs/start-list';
import { RepeatedTask } from '#libs/timers';

/** Organizations per round. */
const ORGANIZATIONS = 1_000;

/** Moves the `updatedAt` of entries that show a shared record which has changed. */
@Injectable()
export class Refreshes implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('refreshes');
  private readonly task = new RepeatedTask(
    this.settings.SWEEP_MS,
    () => this.run(),
    (error) => this.logger.error(error),
  );

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Rounds of one step for each organization, so that one with much work does not delay others. */
  async run(): Promise<void> {
    const later = new Set<string>();
    await inRounds(
      async () => {
        if (this.task.isStopped) return [];
        const pending = await this.database.everywhere((on) =>
          ORGANIZATIONS_TO_REFRESH.rows(on, [ORGANIZATIONS + later.size]),
        );
        return pending.filter(({ id }) => !later.has(id));
      },
      async ({ id }) => {
        if (this.task.isStopped) return false;
        if ((await this.step(id)) !== 'DONE') later.add(id);
        return true;
      },
    );
  }

  /** The failure of one organization does not stop the others; the next run tries again. */
  private async step(organizationId: string) {
    try {
      return await this.database
        .of(organizationId)
        .transaction((manager) => refreshEntries(manager, organizationId));
    } catch (error) {
      this.logger.error(error);
      return 'FAILED';
    }
  }
}
