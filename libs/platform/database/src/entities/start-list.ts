import { Column, Entity, Index, Unique } from 'typeorm';
import { NIL_ID, type RESOLUTION_TYPES } from '#platform/validation';
import { Booking } from './bookings';
import { Event, EventOccurrence, Race, Ticket, Wave } from './events';
import { Holds } from './holds';
import { OwnedIndex, References, TimedRow } from './owned-row';
import { Partner } from './partners';
import { ReservedEntryGroup } from './reserved-entries';

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const;
export const SHIPPING_STATUSES = ['SHIPPED', 'DELIVERED', 'RETURNED'] as const;

@Entity('teams')
@References(() => EventOccurrence, 'eventOccurrenceId')
// TypeORM can't declare an index on an expression: compared_name(name).
@Index('teams_name_idx', { synchronize: false })
export class Team extends TimedRow {
  @Column('uuid') eventOccurrenceId: string;
  @Holds('personal', 'text') name: string;
}

/** An answer, with the label of the question as it was asked. */
export interface FieldAnswer {
  id: string;
  key: string;
  label: string;
  type: string;
  value: unknown;
}

const APPROVED = "approval_status = 'APPROVED'";
const CANCELLED = `${APPROVED} AND cancelled_at IS NOT NULL`;
const PENDING = "approval_status = 'PENDING'";
const BY_TRIGGER = { select: false, insert: false, update: false } as const;

/**
 * An entry on a start list: an application with `id` and, once it is approved, also a participant with
 * `participant_id`.
 */
@Entity('start_list_entries')
@References(() => Booking, 'bookingId')
@References(() => Event, 'eventId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@References(() => Race, 'raceId')
@References(() => Ticket, 'ticketId')
@References(() => Wave, 'waveId')
@References(() => Team, 'teamId')
@References(() => Partner, 'partnerId')
@References(() => ReservedEntryGroup, 'reservedEntryGroupId')
@Unique(['organizationId', 'participantId'])
@Unique('start_list_entries_bib_number_key', ['organizationId', 'raceId', 'bibNumber'], {
  deferrable: 'INITIALLY IMMEDIATE',
})
@OwnedIndex('start_list_entries_created_idx', ['createdAt', 'id'])
@OwnedIndex('start_list_entries_updated_idx', ['updatedAt', 'id'])
@OwnedIndex('start_list_entries_event_created_idx', ['eventId', 'createdAt', 'id'])
@OwnedIndex('start_list_entries_event_updated_idx', ['eventId', 'updatedAt', 'id'])
@OwnedIndex('participants_created_idx', ['createdAt', 'participantId'], { where: APPROVED })
@OwnedIndex('participants_updated_idx', ['updatedAt', 'participantId'], { where: APPROVED })
@OwnedIndex('participants_race_created_idx', ['raceId', 'createdAt', 'participantId'], { where: APPROVED })
@OwnedIndex('participants_race_updated_idx', ['raceId', 'updatedAt', 'participantId'], { where: APPROVED })
@OwnedIndex('participants_occurrence_created_idx', ['eventOccurrenceId', 'createdAt', 'participantId'], {
  where: APPROVED,
})
@OwnedIndex('participants_occurrence_updated_idx', ['eventOccurrenceId', 'updatedAt', 'participantId'], {
  where: APPROVED,
})
@OwnedIndex('participants_cancelled_idx', ['createdAt', 'participantId'], { where: CANCELLED })
@OwnedIndex('participants_race_cancelled_idx', ['raceId', 'createdAt', 'participantId'], { where: CANCELLED })
@OwnedIndex('start_list_entries_booking_idx', ['bookingId', 'participantIndex'])
@OwnedIndex('start_list_entries_claimants_idx', ['raceId', 'bibClaim', 'bibChangedAt', 'participantId'], {
  where: 'bib_claim IS NOT NULL',
})
@OwnedIndex('start_list_entries_email_idx', ['emailNormalized', 'eventOccurrenceId'], {
  where: 'email_normalized IS NOT NULL',
})
@OwnedIndex('start_list_entries_external_participant_idx', ['externalParticipantId'], {
  where: 'external_participant_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_bib_idx', ['bibNumber'], { where: 'bib_number IS NOT NULL' })
@OwnedIndex('start_list_entries_assigned_idx', ['externalAssignmentId', 'assignedBy'], {
  unique: true,
  where: 'cancelled_at IS NULL AND external_assignment_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_top_partner_created_idx', ['viaTopPartnerId', 'createdAt', 'id'], {
  where: 'via_top_partner_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_top_partner_updated_idx', ['viaTopPartnerId', 'updatedAt', 'id'], {
  where: 'via_top_partner_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_partner_created_idx', ['viaPartnerId', 'createdAt', 'id'], {
  where: 'via_partner_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_partner_updated_idx', ['viaPartnerId', 'updatedAt', 'id'], {
  where: 'via_partner_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_partner_tickets_idx', ['viaPartnerId', 'ticketId'], {
  where: 'via_partner_id IS NOT NULL',
})
@OwnedIndex('start_list_entries_group_idx', ['reservedEntryGroupId'], {
  where: 'reserved_entry_group_id IS NOT NULL',
})
@OwnedIndex('applications_pending_idx', ['createdAt', 'id'], { where: PENDING })
@OwnedIndex('applications_pending_of_ticket_idx', ['ticketId', 'createdAt', 'id'], { where: PENDING })
// Organization and tags; TypeORM can't declare a GIN index.
@Index('start_list_entries_tags_idx', { synchronize: false })
// Organization and the words that staff search, and the orders of the console. Triggers write their columns.
@Index('start_list_entries_words_idx', { synchronize: false })
@Index('applications_words_idx', { synchronize: false })
@Index('participants_name_idx', { synchronize: false })
@Index('participants_bib_idx', { synchronize: false })
export class StartListEntry extends TimedRow {
  @Column('uuid') participantId: string;
  @Column('int') participantIndex: number;
  @Column('uuid') bookingId: string;
  @Column('uuid') eventId: string;
  @Column('uuid') eventOccurrenceId: string;
  @Column('uuid') raceId: string;
  @Column('uuid') ticketId: string;

  /** The ticket before the first move to another one: codes count entries by it. Only moves write it, only statements read it. */
  @Column({ type: 'uuid', nullable: true, insert: false, select: false }) soldTicketId: string | null;
  @Column('uuid', { nullable: true }) waveId: string | null;
  @Column('uuid', { nullable: true }) teamId: string | null;
  @Holds('personal', 'text', { array: true, default: [] }) teamRoles: string[];
  @Holds('platform', 'text') approvalStatus: (typeof APPROVAL_STATUSES)[number];
  @Holds('platform', 'text') applicationResolutionType: (typeof RESOLUTION_TYPES)[number];
  @Holds('remarks', 'text', { nullable: true }) ballotDraw: string | null;
  @Holds('personal', 'text', { nullable: true }) applicationNotes: string | null;
  @Holds('personal', 'text', { array: true, default: [] }) participantNotes: string[];
  @Holds('personal', 'jsonb', { default: [] }) statusDetails: {
    status: string;
    at: string;
    reason: string | null;
  }[];

  /** `fields` in the API, in form order. The type is `json`, not `jsonb`, because reads return the text unchanged. */
  @Holds('personal', 'json', { default: [] }) fields: FieldAnswer[];

  /** The email for the registration check: of the participant, or of the booker; `null` after redaction. */
  @Holds('personal', 'text', { nullable: true }) emailNormalized: string | null;
  @Holds('personal', 'text', { array: true, default: [] }) tags: string[];
  @Column('bigint') originalPriceValue: string;
  @Holds('platform', 'text') originalPriceCurrency: string;

  /** Whether the entry was booked through a reserved entry group or a partner. */
  @Column('boolean', { default: false }) incremental: boolean;
  @Column('uuid', { nullable: true }) partnerId: string | null;
  @Column('uuid', { nullable: true }) reservedEntryGroupId: string | null;

  /** Whether the entry counts against the capacity of the reserved entry group. */
  @Column('boolean', { default: false }) holdsReservedPlace: boolean;

  /** Whether the entry counts against the capacity of ticket and race while it is approved and not cancelled. */
  @Column('boolean', { default: true }) takesPlace: boolean;

  /** Whether this is the first entry of a unit of the ticket, which counts against the capacity of the ticket. */
  @Column('boolean', { default: true }) startsUnit: boolean;
  @Holds('personal', 'jsonb', { default: [] }) partnerMarketingOptIns: {
    partnerId: string;
    optedIn: boolean;
  }[];
  @Column('boolean', { nullable: true }) hasDonated: boolean | null;
  @Holds('personal', 'text', { nullable: true }) resultUrl: string | null;
  @Column('timestamptz', { nullable: true }) resultSubmittedAt: Date | null;

  /** What is compared of the bib number: the claim, if no earlier claim of the same race holds the bib. */
  @Holds('organizer', 'text', { nullable: true }) bibNumber: string | null;

  /** The bib of the newest race-day message. */
  @Holds('organizer', 'text', { nullable: true }) bibClaim: string | null;

  /** The first spelling of the claimed bib, if it differs from what is compared. */
  @Holds('organizer', 'text', { nullable: true }) bibWritten: string | null;
  @Column('timestamptz', { nullable: true }) bibChangedAt: Date | null;
  @Holds('platform', 'text', { nullable: true }) shippingStatus: (typeof SHIPPING_STATUSES)[number] | null;
  @Column('timestamptz', { nullable: true }) shippedAt: Date | null;
  @Holds('personal', 'text', { nullable: true }) shippingCarrier: string | null;
  @Holds('personal', 'text', { nullable: true }) trackingNumber: string | null;
  @Holds('personal', 'text', { nullable: true }) trackingUrl: string | null;
  @Column('timestamptz', { nullable: true }) shippingChangedAt: Date | null;
  @Holds('personal', 'jsonb', { default: [] }) raceDayFields: { id: string; value: unknown }[];
  @Holds('personal', 'text', { nullable: true }) externalParticipantId: string | null;
  @Holds('foreign', 'text', { nullable: true }) externalAssignmentId: string | null;
  @Holds('personal', 'jsonb', { default: {} }) metadata: Record<string, unknown>;
  @Column('boolean', { default: false }) gdprRedacted: boolean;
  @Column('timestamptz', { nullable: true }) cancelledAt: Date | null;

  /** The partner of the reserved entry group; a trigger sets it. */
  @Column('uuid', { nullable: true }) viaPartnerId: string | null;

  /** The parent of that partner, or itself. */
  @Column('uuid', { nullable: true }) viaTopPartnerId: string | null;

  /** The partner whose key assigned the place; zeros: the organizer. External ids of assignments are unique for each. */
  @Column('uuid', { default: NIL_ID }) assignedBy: string;

  /** The last name and the first name as people type them. A trigger sets this and the next two. */
  @Holds('derived', 'text', { collation: 'C', ...BY_TRIGGER }) nameOrder?: string;

  /** The bib, with digits as a number. */
  @Holds('derived', 'text', { collation: 'C', ...BY_TRIGGER }) bibOrder?: string;

  /** The words that staff search. */
  @Holds('derived', 'tsvector', BY_TRIGGER) searchWords?: string;
}
