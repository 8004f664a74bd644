import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { storedTicketsById } from '#domain/catalogue';
import { lockRaceDay } from '#domain/race-day';
import { type Actor, audit, type Caller, changesBetween, forgetAuditedValues } from '#platform/access';
import { asOrganization, Database, statement } from '#platform/database';
import {
  brokenAnswers,
  brokenBirthDate,
  brokenName,
  type Problem,
  refuseBroken,
  refusedFor,
} from '#platform/import-rows';
import { type JsonText, Reads } from '#platform/queries';
import { errors, normalizeEmail, problem } from '#platform/validation';
import { problemOfSize } from '../corrections/correct-entry';
import { storedEntries } from '../corrections/stored-entries';
import { PLACED_PARTICIPANT } from '../duplicates';
import { clearedMetadata } from '../entry-metadata';
import { activeOthers, entryOf, isTheBooker } from '../erasure/entries';
import { clearsPerson, LOGGED_OF_PERSON, LOGS_PERSON, WITHOUT_REASONS } from '../erasure/redact-booking';
import type { NewHolder } from '../imported/assigned-participant.dto';
import { Questions } from '../imported/imported-answers';
import { lockPlace, problemOfAddress } from './rules-of-group';

/** What the former person said, and what was said of them. An external id that contains their address is theirs as well. */
const WRITE = statement({
  parameters: ['uuid', 'uuid', 'json', 'text', 'jsonb', 'text?'],
  sql: `
    UPDATE start_list_entries SET fields = $3, email_normalized = $4, metadata = $5, result_submitted_at = NULL,
      ${clearsPerson('fields', 'email_normalized', 'external_participant_id')}, status_details = ${WITHOUT_REASONS},
      external_participant_id = CASE WHEN $6::text IS NULL OR position($6 IN lower(external_participant_id)) = 0 THEN external_participant_id END
    WHERE organization_id = $1 AND id = $2
  `,
});

const FORGET_RACE_DAY_FIELDS = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'DELETE FROM race_day_fields WHERE organization_id = $1 AND participant_id = $2',
});

/** The projection of the remaining log gives the same bib and shipping status. */
const FORGET_LOGGED = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE race_day_log SET ${LOGGED_OF_PERSON.map((column) => `${column} = NULL`).join(', ')}
    WHERE organization_id = $1 AND participant_id = $2 AND ${LOGS_PERSON}
  `,
});

const REPLACE_BOOKER = statement({
  parameters: ['uuid', 'uuid', 'text?', 'text?', 'text'],
  sql: `
    UPDATE bookings SET booker_first_name = $3, booker_last_name = $4, booker_email = $5, booker_phone = NULL, tracking = '{}',
      metadata = '{}'
    WHERE organization_id = $1 AND id = $2
  `,
});

/** Gives the place of a participant to another person (docs/domain-rules.md#moving-entries). */
@Injectable()
export class TransferService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
  ) {}

  /** @throws ApiError 404; 400 if the participant is cancelled or redacted, or the person cannot have the place; 403 to a partner after the
   * deadline of its group */
  transfer(caller: Caller, participantId: string, given: NewHolder, by: Actor): Promise<JsonText> {
    refuseBroken([
      ...brokenName('', given),
      ...brokenBirthDate('dateOfBirth', given.dateOfBirth),
      ...brokenAnswers('fields', given.fields),
    ]);
    return this.database.of(caller).transaction(async (manager, reader) => {
      await asOrganization(manager, caller, async () => {
        const wrong = await transferParticipant(manager, caller, participantId, given);
        if (wrong) throw refusedFor(wrong);
        const { organizationId } = caller;
        await audit(manager, by, {
          ...{ organizationId, action: 'participant.transfer', objectType: 'participant' },
          objectId: participantId,
          // Who left the place is forgotten.
          changes: changesBetween({}, { firstName: given.firstName, lastName: given.lastName }),
        });
      });
      return this.reads.one(PLACED_PARTICIPANT, caller, participantId, {}, reader);
    });
  }
}

const required = (reason: string) =>
  errors.invalidBody([problem('email', 'REQUIRED', `is required, ${reason}`)]);

/** @returns why the person cannot have the place */
async function transferParticipant(
  manager: EntityManager,
  { organizationId, partner }: Caller,
  participantId: string,
  person: NewHolder,
): Promise<Problem | undefined> {
  const context = { manager, organizationId, partnerId: partner?.id ?? null };
  await lockRaceDay(manager, organizationId);
  const { found, booking, group } = await lockPlace(context, participantId, { withRules: true });
  const entries = (await storedEntries(context, [{ id: found.bookingId }])).get(found.bookingId);
  const stored = entries?.find(({ participant_id }) => participant_id === participantId);
  if (!stored || !entries) throw errors.notFound();
  if (!booking || found.cancelled)
    throw errors.invalidAt('', 'PARTICIPANT_CANCELLED', 'is cancelled', 'The participant');
  if (found.redacted) throw errors.invalid('The participant was redacted');

  const former = await entryOf(manager, organizationId, found.id);
  // Who booked for others too stays their contact.
  const replacesBooker =
    found.ownsBooking &&
    isTheBooker(former) &&
    (await activeOthers(manager, organizationId, former)).length === 0;
  const given = person.email ?? null;
  // A child without an address is reached at the booker's.
  const reachedAt = given ?? (replacesBooker ? null : booking.booker_email);
  if (reachedAt === null) throw required('because nobody else is the contact of the booking');
  if (given === null && (group?.singleUse || group?.domainRestriction))
    throw required('because the reserved entry group compares it');
  const email = normalizeEmail(reachedAt);
  const ticket = (await storedTicketsById(context, [stored.ticket_id])).get(stored.ticket_id);
  const fieldIds = ticket?.fieldIds ?? [];
  const questions = await Questions.of(context);
  const fields = questions.answers(fieldIds, person, person.fields);
  const metadata = clearedMetadata(stored.metadata);
  const after = {
    ...{ ...stored, fields, metadata, tags: [], participant_notes: [], application_notes: null },
    ...{ partner_marketing_opt_ins: [], result_url: null },
  };
  const bookingAfter = replacesBooker
    ? {
        ...{
          ...booking,
          booker_first_name: person.firstName ?? null,
          booker_last_name: person.lastName ?? null,
        },
        ...{ booker_email: reachedAt, booker_phone: null, tracking: {}, metadata: {} },
      }
    : booking;
  const wrong =
    (await problemOfAddress(context, found, group, reachedAt)) ??
    questions.problemOf(person, fieldIds, '') ??
    problemOfSize([stored, booking], [after, bookingAfter], '') ??
    entries
      .filter(({ id }) => id !== stored.id)
      .map((other) => problemOfSize([other, booking], [other, bookingAfter], ''))
      .find((problem) => problem !== undefined);
  if (wrong) return wrong;

  const formerEmail = former.email && normalizeEmail(former.email);
  await WRITE.run(manager, [
    ...([organizationId, found.id, JSON.stringify(fields), email] as const),
    ...([JSON.stringify(metadata), formerEmail] as const),
  ]);
  await FORGET_RACE_DAY_FIELDS.run(manager, [organizationId, participantId]);
  await FORGET_LOGGED.run(manager, [organizationId, participantId]);
  await forgetAuditedValues(manager, organizationId, [participantId, found.id]);
  if (!replacesBooker) return undefined;
  const { firstName = null, lastName = null } = person;
  await REPLACE_BOOKER.run(manager, [
    ...([organizationId, found.bookingId, firstName, lastName, reachedAt] as const),
  ]);
  await forgetAuditedValues(manager, organizationId, [found.bookingId]);
  return undefined;
}
