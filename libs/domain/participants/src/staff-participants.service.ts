import { Injectable } from '@nestjs/common';
import { RACE_DAY_MESSAGES_OF_PARTICIPANT, raceDayStateOf } from '#domain/race-day';
import type { Caller } from '#platform/access';
import { Database } from '#platform/database';
import { type Cursors, JsonText, Lists, listRequestOf, Reads } from '#platform/queries';
import { errors } from '#platform/validation';
import { LISTED_PARTICIPANT } from './staff-entries/listed-participants.resource';

/** The messages that a participant is shown with. */
const MOST_MESSAGES = 500;

/** Operations on participants for staff beyond the public API. */
@Injectable()
export class StaffParticipantsService {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  /** @throws ApiError 404 if the organization has no such participant */
  async one(caller: Caller, id: string, cursors: Cursors): Promise<JsonText> {
    const { organizationId } = caller;
    const [participant, log] = await this.database
      .of(organizationId)
      .transaction(async (manager, reader): Promise<[string, string]> => {
        const { pieces } = await this.reads.one(LISTED_PARTICIPANT, caller, id, {}, reader);
        const state = await raceDayStateOf(manager, id);
        if (state?.organizationId !== organizationId) throw errors.notFound();
        const { entry, foldedMessages, messageCount } = state;
        const { bibClaim = null, holder = null } = entry ?? {};
        return [pieces.join(''), JSON.stringify({ bibClaim, holder, foldedMessages, messageCount })];
      });
    // Read last, so that a message whose effect is shown is not shown as pending.
    const newest = listRequestOf(
      RACE_DAY_MESSAGES_OF_PARTICIPANT,
      caller,
      { 'page[size]': MOST_MESSAGES },
      { id },
      cursors,
    );
    const messages = (await this.lists.walk(RACE_DAY_MESSAGES_OF_PARTICIPANT, newest).next()).value ?? [];
    // The messages are JSON already, and can be megabytes: joined, they would be encoded in one go.
    return new JsonText([
      `${participant.slice(0, -1)},"raceDayLog":${log.slice(0, -1)},"messages":[`,
      ...messages.reverse().flatMap((message, place) => (place > 0 ? [',', message] : [message])),
      ']}}',
    ]);
  }
}
