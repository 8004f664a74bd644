import type { KnownTicket } from '#domain/catalogue';
import { type NewRow, NONE, newId, type StartListEntry } from '#platform/database';
import { bibColumns, instantOf, normalizeEmail } from '#platform/validation';
import { sharedMetadata } from '../entry-metadata';
import type { StartListParticipant } from './imported-participant.dto';
import type { ParticipantReferences, RowOfParticipants } from './participant-references';
import { teamKey } from './teams';

export type NewEntry = Omit<NewRow<StartListEntry>, 'organization_id'>;

/** The sale of a new entry. */
export interface SaleOfEntry {
  bookingId: string;
  /** The entry carries the line item of its unit. */
  startsUnit: boolean;
  original: { value: number; currencyCode: string };
  /** The time of the claim of its bib. */
  at: string;
  /** The platform's part of its metadata. */
  startline: Record<string, unknown>;
}

/**
 * A sale made elsewhere has already decided its applications, independent of the ticket; other sales follow the
 * ticket.
 */
function resolutionOf(
  { source }: RowOfParticipants,
  { resolution, approvalStatus }: StartListParticipant,
  { approval }: KnownTicket,
) {
  const isDecidedElsewhere = (source ?? 'API') === 'API' && (approvalStatus ?? 'APPROVED') === 'APPROVED';
  return resolution ?? (isDecidedElsewhere ? 'INSTANT' : approval);
}

const instantOrNull = (time: string | null | undefined): string | null => (time && instantOf(time)) || null;

/** The entry that a participant of a row becomes. @param teams ids by `teamKey` */
export function newEntry(
  row: RowOfParticipants,
  index: number,
  { bookingId, startsUnit, original, at, startline }: SaleOfEntry,
  references: ParticipantReferences,
  teams: Map<string, string>,
): NewEntry & { participant_id: string } {
  const { booker, bookerType, partnerId, eventOccurrenceId } = row;
  const participant = row.participants[index] as StartListParticipant;
  const ticket = references.ticketOf(participant);
  const { team, bibNumber, resultSubmission } = participant;
  const bib = bibColumns(bibNumber);
  return {
    id: newId(),
    created_at: instantOrNull(row.createdAt),
    participant_id: newId(),
    participant_index: index,
    booking_id: bookingId,
    event_id: ticket.eventId,
    event_occurrence_id: ticket.eventOccurrenceId,
    race_id: ticket.raceId,
    ticket_id: ticket.id,
    wave_id: participant.waveId ?? null,
    team_id: team ? teams.get(teamKey({ eventOccurrenceId, name: team.name })) : null,
    team_roles: team?.role == null ? NONE : [team.role],
    approval_status: participant.approvalStatus ?? 'APPROVED',
    application_resolution_type: resolutionOf(row, participant, ticket),
    ballot_draw: participant.ballotDraw ?? null,
    application_notes: participant.applicationNotes ?? null,
    participant_notes: participant.participantNotes ?? NONE,
    fields: references.answersOf(participant),
    email_normalized: normalizeEmail(participant.email ?? booker.email),
    tags: participant.tags ?? NONE,
    original_price_value: original.value,
    original_price_currency: original.currencyCode,
    incremental: bookerType === 'PARTNER',
    partner_id: partnerId ?? null,
    starts_unit: startsUnit,
    partner_marketing_opt_ins: participant.partnerMarketingOptIns ?? NONE,
    result_url: resultSubmission?.url ?? null,
    result_submitted_at: instantOrNull(resultSubmission?.submittedAt),
    has_donated: ticket.asksDonation ? false : null,
    ...bib,
    bib_claim: bib.bib_number,
    bib_changed_at: bibNumber ? at : null,
    external_participant_id: participant.externalParticipantId ?? null,
    metadata: sharedMetadata({ startline }),
  };
}
