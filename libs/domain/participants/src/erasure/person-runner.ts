import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { type JobHandler, JobProducer } from '#platform/queues';
import { Stopped, workOnPerson } from './person-jobs';

/** Does the work on data of persons. */
@Injectable()
export class PersonRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger('persons');
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** One job of the organization; what it has besides is behind that of others. The failure of one does not stop the next. */
  readonly work: JobHandler<'persons'> = async ({ organizationId }, begin) => {
    await begin();
    const { ERASURE_SECRET: secret } = this.settings;
    const isStopped = () => this.isStopping;
    const hadWork = await workOnPerson(this.database.of(organizationId), organizationId, {
      ...{ secret, isStopped },
    }).catch((error: unknown) => {
      if (!(error instanceof Stopped)) this.logger.error(error);
      return true;
    });
    if (hadWork) this.producer.enqueue('persons', { organizationId });
  };

  /** It ends between two steps. Another worker gets what is left. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }
}
