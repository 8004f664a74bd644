import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { type JobHandler, JobProducer } from '#platform/queues';
import { Stopped, workOnPerson } from './person-jobs';

/** Does the work on data of persons. */
@Injectable()
export class PersonRunner implements BeforeApplicationShutdown {
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** One job of the organization; what it has besides is behind that of others. After a failure, the queue comes back for the next one. */
  readonly work: JobHandler<'persons'> = async ({ organizationId }, begin) => {
    await begin();
    const { ERASURE_SECRET: secret } = this.settings;
    const isStopped = () => this.isStopping;
    const hadWork = await workOnPerson(this.database.of(organizationId), organizationId, {
      ...{ secret, isStopped },
    }).catch((error: unknown) => {
      if (error instanceof Stopped) return true;
      throw error;
    });
    if (hadWork) this.producer.enqueue('persons', { organizationId });
  };

  /** It ends between two steps. Another worker gets what is left. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }
}
