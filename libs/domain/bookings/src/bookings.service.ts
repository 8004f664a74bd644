import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupErrors, PARTICIPANT } from '#domain/participants';
import type { Caller } from '#platform/access';
import { type Actor, audit } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { asOrganization, Database, statement } from '#platform/database';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { erasedId, errors, mayBeErased } from '#platform/validation';
import { bookingErrors } from './bookings.errors';
import { BOOKING, BOOKINGS_BY_EXTERNAL_ID } from './bookings.resource';
import { type CancelOutcome, cancelBookings, cancelParticipant } from './cancel-bookings';

const THROUGH_API = 'The booking was cancelled through the API.';
const BY_PARTNER = 'The partner cancelled the booking.';
const ENTRY_THROUGH_API = 'The participant was cancelled through the API.';
const ENTRY_BY_PARTNER = 'The partner cancelled the participant.';
const ENTRY_BY_ORGANIZER = 'The organizer cancelled the participant.';
const BY_ORGANIZER = 'The organizer cancelled the booking.';

/**
 * Cancels a booking of any source on behalf of the organizer, and records who did it. Call it in a transaction. A booking
 * that is cancelled already does not change and is not recorded again.
 */
export async function cancelByOrganizer(
  manager: EntityManager,
  { organizationId, id }: { organizationId: string; id: string },
  by: Actor,
): Promise<CancelOutcome> {
  const outcomes = await cancelBookings(manager, { organizationId, bookingIds: [id], reason: BY_ORGANIZER });
  const outcome = outcomes.get(id) ?? 'MISSING';
  if (outcome === 'CANCELLED') await recordCancellation(manager, { organizationId, id }, by);
  return outcome;
}

const recordCancellation = (
  manager: EntityManager,
  { organizationId, id }: { organizationId: string; id: string },
  by: Actor,
): Promise<unknown> =>
  audit(manager, by, { organizationId, action: 'booking.cancel', objectType: 'booking', objectId: id });

const HAS_EXTERNAL_ID = statement({
  parameters: ['uuid', 'text'],
  sql: 'SELECT 1 FROM bookings WHERE organization_id = $1 AND external_booking_id = $2 LIMIT 1',
  prepared: true,
});

@Injectable()
export class BookingsService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly lists: Lists,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The list of bookings under an external id; if none has it, of an erased person's bookings that had it. */
  async listByExternalId(page: ListRequest): Promise<JsonText> {
    const { ERASURE_SECRET: secret } = this.settings;
    const { organizationId } = page.caller;
    const { withinId = '' } = page;
    if (!secret || !mayBeErased(withinId)) return this.lists.page(BOOKINGS_BY_EXTERNAL_ID, page);
    const isKnown = await HAS_EXTERNAL_ID.run(this.database.of(page.caller), [organizationId, withinId]);
    const known = isKnown ? withinId : erasedId(secret, organizationId, withinId);
    return this.lists.page(BOOKINGS_BY_EXTERNAL_ID, { ...page, withinId: known });
  }

  /**
   * Cancels a booking and returns it: a key one with source `API`, staff any. Idempotent.
   *
   * @throws ApiError 404 if the booking does not exist, 403 if a key cancels one of another source, or a partner may not cancel it
   */
  cancel(caller: Caller, id: string, by: Actor): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(caller).transaction(async (manager, reader) => {
      await asOrganization(manager, caller, async () => {
        const reasons = [BY_PARTNER, BY_ORGANIZER, THROUGH_API] as const;
        const outcomes = await cancelBookings(manager, {
          ...cancellationBy(caller, reasons),
          bookingIds: [id],
        });
        const outcome = outcomes.get(id);
        refuse(outcome);
        if (outcome === 'CANCELLED') await recordCancellation(manager, { organizationId, id }, by);
      });
      return this.reads.one(BOOKING, caller, id, {}, reader);
    });
  }

  /**
   * Cancels one participant and returns it; the booking too, if no active entry is left. A key can do that in bookings with source `API`,
   * staff in all. Idempotent.
   *
   * @throws ApiError as `cancel`
   */
  cancelParticipant(caller: Caller, participantId: string, by: Actor): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(caller).transaction(async (manager, reader) => {
      await asOrganization(manager, caller, async () => {
        const reasons = [ENTRY_BY_PARTNER, ENTRY_BY_ORGANIZER, ENTRY_THROUGH_API] as const;
        const outcome = await cancelParticipant(manager, {
          ...cancellationBy(caller, reasons),
          participantId,
        });
        refuse(outcome);
        const action = 'participant.cancel';
        if (outcome === 'CANCELLED')
          await audit(manager, by, {
            ...{ organizationId, action, objectType: 'participant', objectId: participantId },
          });
      });
      return this.reads.one(PARTICIPANT, caller, participantId, {}, reader);
    });
  }
}

/** What the caller may cancel: a key what has the source `API`, staff everything. @param reasons of partners, of staff and of keys */
function cancellationBy(
  { organizationId, partner, kind }: Caller,
  [byPartner, byOrganizer, throughApi]: readonly [string, string, string],
) {
  const isStaff = kind === 'STAFF' && !partner;
  return {
    organizationId,
    sources: isStaff ? undefined : (['API'] as const),
    partnerId: partner?.id,
    reason: partner ? byPartner : isStaff ? byOrganizer : throughApi,
  };
}

function refuse(outcome: CancelOutcome | undefined): void {
  if (outcome === 'NOT_BY_PARTNER') throw bookingErrors.notForPartner();
  if (outcome === 'AFTER_DEADLINE') throw groupErrors.deadlinePassed();
  if (outcome === 'REFUSED') throw bookingErrors.notFromApi();
  if (outcome === 'MISSING') throw errors.notFound();
}
