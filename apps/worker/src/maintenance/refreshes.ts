import { Injectable, Logger } from '@nestjs/common';
import { ORGANIZATIONS_TO_REFRESH, refreshEntries } from '#domain/participants';
import { Database } from '#platform/database';
import { inRounds } from '#platform/scheduling';

/** Organizations per round. */
const ORGANIZATIONS = 1_000;

/** Moves the `updatedAt` of entries that show a shared record which has changed. */
@Injectable()
export class Refreshes {
  private readonly logger = new Logger('refreshes');

  constructor(private readonly database: Database) {}

  /** Rounds of one step for each organization, so that one with much work does not delay others. */
  async run(isStopped = () => false): Promise<void> {
    const later = new Set<string>();
    await inRounds(
      async () => {
        const pending = await this.database.everywhere((on) =>
          ORGANIZATIONS_TO_REFRESH.rows(on, [ORGANIZATIONS + later.size]),
        );
        return pending.filter(({ id }) => !later.has(id));
      },
      async ({ id }) => {
        if ((await this.step(id)) !== 'DONE') later.add(id);
        return true;
      },
      isStopped,
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
