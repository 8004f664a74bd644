import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#platform/access';
import { Database, statement } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors, isId } from '#platform/validation';
import type { PersonFormat } from './person-document';
import { addPersonJob, exportedDocument, PERSON_WORK } from './person-jobs';
import type { PersonLanguage } from './person-words';

const IS_OURS = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM start_list_entries WHERE organization_id = $1 AND participant_id = $2',
});

/** Work on all data of a person, which is requested here, and done by a worker. */
@Injectable()
export class PersonsService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError 404 if it redacts an entry that the organization does not have */
  async request(caller: Caller, by: Actor, requested: Parameters<typeof addPersonJob>[2]): Promise<JsonText> {
    const { organizationId } = caller;
    const id = await this.database.of(organizationId).transaction(async (manager) => {
      if (requested.kind === 'REDACT') {
        const { entryId } = requested;
        if (!isId(entryId) || (await IS_OURS.run(manager, [organizationId, entryId])) === 0)
          throw errors.notFound();
      }
      return addPersonJob(manager, organizationId, requested, by);
    });
    this.producer.enqueue('persons', { organizationId });
    return this.reads.one(PERSON_WORK, caller, id);
  }

  /** @throws ApiError 404 if there is no such export, or it is not completed */
  async file(
    organizationId: string,
    jobId: string,
    document: { format: PersonFormat; language?: PersonLanguage },
  ): Promise<AsyncGenerator<string, void>> {
    const found = isId(jobId)
      ? await exportedDocument(this.database.of(organizationId), { organizationId, jobId }, document)
      : undefined;
    if (!found) throw errors.notFound();
    return found;
  }
}
