import type { RaceDayLog } from '#domain/race-day';
import type { SHIPPING_STATUSES } from '#platform/database';
import { DateOnly, DateTime, Email, Id, Int, Text, Value } from '#platform/validation';

/** A participant as staff see them. */
export class ListedParticipant {
  @Id() id: string;
  @Text({ example: 'Ada' }) firstName: string | null;
  @Text({ example: 'Lovelace' }) lastName: string | null;

  /** `null` for the role `RACE_DAY`. */
  @Email() email: string | null;

  /** `null` for the role `RACE_DAY`. */
  @DateOnly() dateOfBirth: string | null;

  /** The current bib. */
  @Text({ example: '1042' }) bibNumber: string | null;
  @Id() eventOccurrenceId: string;

  /** The title of the event occurrence. */
  @Text({ example: 'City Marathon' }) eventTitle: string;

  /** The title of the race. */
  @Text({ example: 'Half marathon' }) raceTitle: string;

  /** The title of the ticket. */
  @Text({ example: '10K early bird' }) ticketTitle: string;

  /** The title of the wave, if there is one. */
  @Text({ example: '10:00' }) waveTitle: string | null;

  /** The time zone of the event. */
  @Text({ example: 'Europe/London' }) timeZone: string;

  /** Whether the entry is cancelled. */
  cancelled: boolean;

  /** Whether the personal data was removed permanently. */
  gdprRedacted: boolean;

  /** The latest value of the race-day field `checkIn`. */
  @Value({ example: true }) checkIn: unknown;

  /** What became of the parcel, if one was sent. */
  shippingStatus: (typeof SHIPPING_STATUSES)[number] | null;

  /** By which the carrier finds the parcel. */
  @Text({ example: '00340434161094042557' }) trackingNumber: string | null;

  /** Whether race-day messages about the participant are stored that this response does not include yet. */
  raceDayPending: boolean;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

/** A participant with the log of their race day. */
export class StaffParticipant extends ListedParticipant {
  raceDayLog: RaceDayLog;
}

/** What a redaction removed. */
export class ParticipantRedaction {
  /** `false` if the participant was already redacted; data that arrived since is removed too. */
  changed: boolean;

  /** Whether the booker was removed as well. */
  bookerRedacted: boolean;

  /** The number of import rows that were cleared. */
  @Int({ example: 1 }) importRows: number;

  /** The number of race-day messages that were cleared. */
  @Int({ example: 3 }) raceDayMessages: number;

  /** The number of credits that were cleared. */
  @Int({ example: 0 }) credits: number;

  /** Unprocessed import rows that name the person: redact again after they are processed. */
  @Int({ example: 0 }) importRowsAhead: number;
}
