import { Inject, Injectable, Logger } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { ORGANIZATIONS_WITH_PERSON_JOBS, Stopped, workOnPerson } from './person-jobs';

/** Does the work on data of persons, one job after the other: a search reads all texts of an organization. */
@Injectable()
export class PersonRunner {
  private readonly logger = new Logger('persons');

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Ends between two steps when the process stops. The failure of one job does not stop the others. */
  async run(isStopped: () => boolean): Promise<void> {
    const found = await this.database.everywhere((on) => ORGANIZATIONS_WITH_PERSON_JOBS.rows(on, [100]));
    const secret = this.settings.ERASURE_SECRET;
    for (const { id } of found)
      await workOnPerson(this.database.of(id), id, { secret, isStopped }).catch((error: unknown) => {
        if (!(error instanceof Stopped)) this.logger.error(error);
      });
  }
}
