import { Column, Entity, Index, Unique } from 'typeorm';
import { NIL_ID, type RESOLUTION_TYPES } from '#platform/validation';
import { Booking } from './bookings';
import { Event, EventOccurrence, Race, Ticket, Wave } from './events';
import { Holds } from './holds';
import { References, TimedRow } from './owned-row';
import { Partner } from './partners';
import { ReservedEntryGroup } from './reserved-entries';

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const;
export const SHIPPING_STATUSES = ['SHIPPED', 'DELIVERED', 'RETURNED'] as const;

@Entity('teams')
@References(() => EventOccurrence, 'eventOccurrenceId')
// TypeORM can't declare an index on an expression: compared_name(name).
@Index('teams_name_idx', { synchronize: false })
export class Team extends TimedRow {
  @Column('uuid')
  eventOccurrenceId: string;

  @Column('text')
  @Holds('personal')
  name: string;
}

/** An answer, with the label of the question as it was asked. */
export interface FieldAnswer {
  id: string;
  key: string;
  label: string;
  type: string;
  value: unknown;
}

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
@Index('start_list_entries_created_idx', ['organizationId', 'createdAt', 'id'])
@Index('start_list_entries_updated_idx', ['organizationId', 'updatedAt', 'id'])
@Index('start_list_entries_event_created_idx', ['organizationId', 'eventId', 'createdAt', 'id'])
@Index('start_list_entries_event_updated_idx', ['organizationId', 'eventId', 'updatedAt', 'id'])
@Index('participants_created_idx', ['organizationId', 'createdAt', 'participantId'], {
  where: "approval_status = 'APPROVED'",
})
@Index('participants_updated_idx', ['organizationId', 'updatedAt', 'participantId'], {
  where: "approval_status = 'APPROVED'",
})
@Index('participants_race_created_idx', ['organizationId', 'raceId', 'createdAt', 'participantId'], {
  where: "approval_status = 'APPROVED'",
})
@Index('participants_race_updated_idx', ['organizationId', 'raceId', 'updatedAt', 'participantId'], {
  where: "approval_status = 'APPROVED'",
})
@Index(
  'participants_occurrence_created_idx',
  ['organizationId', 'eventOccurrenceId', 'createdAt', 'participantId'],
  { where: "approval_status = 'APPROVED'" },
)
@Index(
  'participants_occurrence_updated_idx',
  ['organizationId', 'eventOccurrenceId', 'updatedAt', 'participantId'],
  { where: "approval_status = 'APPROVED'" },
)
@Index('participants_cancelled_idx', ['organizationId', 'createdAt', 'participantId'], {
  where: "approval_status = 'APPROVED' AND cancelled_at IS NOT NULL",
})
@Index('participants_race_cancelled_idx', ['organizationId', 'raceId', 'createdAt', 'participantId'], {
  where: "approval_status = 'APPROVED' AND cancelled_at IS NOT NULL",
})
@Index('start_list_entries_booking_idx', ['organizationId', 'bookingId', 'participantIndex'])
@Index(
  'start_list_entries_claimants_idx',
  ['organizationId', 'raceId', 'bibClaim', 'bibChangedAt', 'participantId'],
  { where: 'bib_claim IS NOT NULL' },
)
@Index('start_list_entries_email_idx', ['organizationId', 'emailNormalized', 'eventOccurrenceId'], {
  where: 'email_normalized IS NOT NULL',
})
@Index('start_list_entries_external_participant_idx', ['organizationId', 'externalParticipantId'], {
  where: 'external_participant_id IS NOT NULL',
})
@Index('start_list_entries_bib_idx', ['organizationId', 'bibNumber'], { where: 'bib_number IS NOT NULL' })
@Index('start_list_entries_assigned_idx', ['organizationId', 'externalAssignmentId', 'assignedBy'], {
  unique: true,
  where: 'cancelled_at IS NULL AND external_assignment_id IS NOT NULL',
})
@Index(
  'start_list_entries_top_partner_created_idx',
  ['organizationId', 'viaTopPartnerId', 'createdAt', 'id'],
  {
    where: 'via_top_partner_id IS NOT NULL',
  },
)
@Index(
  'start_list_entries_top_partner_updated_idx',
  ['organizationId', 'viaTopPartnerId', 'updatedAt', 'id'],
  {
    where: 'via_top_partner_id IS NOT NULL',
  },
)
@Index('start_list_entries_partner_created_idx', ['organizationId', 'viaPartnerId', 'createdAt', 'id'], {
  where: 'via_partner_id IS NOT NULL',
})
@Index('start_list_entries_partner_updated_idx', ['organizationId', 'viaPartnerId', 'updatedAt', 'id'], {
  where: 'via_partner_id IS NOT NULL',
})
@Index('start_list_entries_partner_tickets_idx', ['organizationId', 'viaPartnerId', 'ticketId'], {
  where: 'via_partner_id IS NOT NULL',
})
@Index('start_list_entries_group_idx', ['organizationId', 'reservedEntryGroupId'], {
  where: 'reserved_entry_group_id IS NOT NULL',
})
@Index('applications_pending_idx', ['organizationId', 'createdAt', 'id'], {
  where: "approval_status = 'PENDING'",
})
@Index('applications_pending_of_ticket_idx', ['organizationId', 'ticketId', 'createdAt', 'id'], {
  where: "approval_status = 'PENDING'",
})
// Organization and tags; TypeORM can't declare a GIN index.
@Index('start_list_entries_tags_idx', { synchronize: false })
// Organization and the words that staff search, and the orders of the console. Triggers write their columns.
@Index('start_list_entries_words_idx', { synchronize: false })
@Index('applications_words_idx', { synchronize: false })
@Index('participants_name_idx', { synchronize: false })
@Index('participants_bib_idx', { synchronize: false })
export class StartListEntry extends TimedRow {
  @Column('uuid')
  participantId: string;

  @Column('int')
  participantIndex: number;

  @Column('uuid')
  bookingId: string;

  @Column('uuid')
  eventId: string;

  @Column('uuid')
  eventOccurrenceId: string;

  @Column('uuid')
  raceId: string;

  @Column('uuid')
  ticketId: string;

  @Column('uuid', { nullable: true })
  waveId: string | null;

  @Column('uuid', { nullable: true })
  teamId: string | null;

  @Column('text', { array: true, default: [] })
  @Holds('personal')
  teamRoles: string[];

  @Column('text')
  @Holds('platform')
  approvalStatus: (typeof APPROVAL_STATUSES)[number];

  @Column('text')
  @Holds('platform')
  applicationResolutionType: (typeof RESOLUTION_TYPES)[number];

  @Column('text', { nullable: true })
  @Holds('remarks')
  ballotDraw: string | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  applicationNotes: string | null;

  @Column('text', { array: true, default: [] })
  @Holds('personal')
  participantNotes: string[];

  @Column('jsonb', { default: [] })
  @Holds('personal')
  statusDetails: { status: string; at: string; reason: string | null }[];

  /** `fields` in the API, in form order. The type is `json`, not `jsonb`, because reads return the text unchanged. */
  @Column('json', { default: [] })
  @Holds('personal')
  fields: FieldAnswer[];

  /** The email for the registration check: of the participant, or of the booker; `null` after redaction. */
  @Column('text', { nullable: true })
  @Holds('personal')
  emailNormalized: string | null;

  @Column('text', { array: true, default: [] })
  @Holds('personal')
  tags: string[];

  @Column('bigint')
  originalPriceValue: string;

  @Column('text')
  @Holds('platform')
  originalPriceCurrency: string;

  /** Whether the entry was booked through a reserved entry group or a partner. */
  @Column('boolean', { default: false })
  incremental: boolean;

  @Column('uuid', { nullable: true })
  partnerId: string | null;

  @Column('uuid', { nullable: true })
  reservedEntryGroupId: string | null;

  /** Whether the entry counts against the capacity of the reserved entry group. */
  @Column('boolean', { default: false })
  holdsReservedPlace: boolean;

  /** Whether the entry counts against the capacity of ticket and race while it is approved and not cancelled. */
  @Column('boolean', { default: true })
  takesPlace: boolean;

  /** Whether this is the first entry of a unit of the ticket, which counts against the capacity of the ticket. */
  @Column('boolean', { default: true })
  startsUnit: boolean;

  @Column('jsonb', { default: [] })
  @Holds('personal')
  partnerMarketingOptIns: { partnerId: string; optedIn: boolean }[];

  @Column('boolean', { nullable: true })
  hasDonated: boolean | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  resultUrl: string | null;

  @Column('timestamptz', { nullable: true })
  resultSubmittedAt: Date | null;

  /** What is compared of the bib number: the claim, if no earlier claim of the same race holds the bib. */
  @Column('text', { nullable: true })
  @Holds('organizer')
  bibNumber: string | null;

  /** The bib of the newest race-day message. */
  @Column('text', { nullable: true })
  @Holds('organizer')
  bibClaim: string | null;

  /** The first spelling of the claimed bib, if it differs from what is compared. */
  @Column('text', { nullable: true })
  @Holds('organizer')
  bibWritten: string | null;

  @Column('timestamptz', { nullable: true })
  bibChangedAt: Date | null;

  @Column('text', { nullable: true })
  @Holds('platform')
  shippingStatus: (typeof SHIPPING_STATUSES)[number] | null;

  @Column('timestamptz', { nullable: true })
  shippedAt: Date | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  shippingCarrier: string | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  trackingNumber: string | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  trackingUrl: string | null;

  @Column('timestamptz', { nullable: true })
  shippingChangedAt: Date | null;

  @Column('jsonb', { default: [] })
  @Holds('personal')
  raceDayFields: { id: string; value: unknown }[];

  @Column('text', { nullable: true })
  @Holds('personal')
  externalParticipantId: string | null;

  @Column('text', { nullable: true })
  @Holds('foreign')
  externalAssignmentId: string | null;

  @Column('jsonb', { default: {} })
  @Holds('personal')
  metadata: Record<string, unknown>;

  @Column('boolean', { default: false })
  gdprRedacted: boolean;

  @Column('timestamptz', { nullable: true })
  cancelledAt: Date | null;

  /** The partner of the reserved entry group; a trigger sets it. */
  @Column('uuid', { nullable: true })
  viaPartnerId: string | null;

  /** The parent of that partner, or itself. */
  @Column('uuid', { nullable: true })
  viaTopPartnerId: string | null;

  /** The partner whose key assigned the place; zeros: the organizer. External ids of assignments are unique for each. */
  @Column('uuid', { default: NIL_ID })
  assignedBy: string;

  /** The last name and the first name as people type them. A trigger sets this and the next two. */
  @Column({ type: 'text', collation: 'C', ...BY_TRIGGER })
  @Holds('derived')
  nameOrder?: string;

  /** The bib, with digits as a number. */
  @Column({ type: 'text', collation: 'C', ...BY_TRIGGER })
  @Holds('derived')
  bibOrder?: string;

  /** The words that staff search. */
  @Column({ type: 'tsvector', ...BY_TRIGGER })
  @Holds('derived')
  searchWords?: string;
}
