import { type BibNumber } from '#platform/validation';
import type { ImportedAnswer } from '../imported/imported-answer.dto';
import type { ImportedTeam } from '../imported/imported-participant.dto';

/** Changes of a participant. Absent properties do not change; `null` removes a value. */
export class ParticipantCorrection {
  /**
   * @maxLength 255
   * @example Ada
   */
  firstName?: string;

  /**
   * @maxLength 255
   * @example Lovelace
   */
  lastName?: string;

  /**
   * If absent, the booker's email is used.
   * @format email
   * @maxLength 254
   */
  email?: string | null;

  /**
   * Between 1900-01-01 and today.
   * @format date
   */
  dateOfBirth?: string | null;

  /**
   * A value of the options of the form field `gender`.
   * @maxLength 50
   * @example FEMALE
   */
  gender?: string | null;

  /**
   * The new bib, if no other participant of the race has it. 1 to 20 printable characters, without a space at the beginning or
   * end.
   * @example A123
   */
  bibNumber?: BibNumber | null;

  /**
   * A wave of the ticket's race.
   * @format uuid
   */
  waveId?: string | null;

  /**
   * Answers to questions of the ticket's forms; absent answers do not change.
   * @maxItems 200
   */
  fields?: ImportedAnswer[];

  /**
   * Replaces all tags; `[]` removes them.
   * @maxItems 50
   * @pattern \S
   * @maxLength 255
   * @example ["club"]
   */
  tags?: string[];

  /**
   * Replaces all notes on the participant; `[]` removes them.
   * @maxItems 50
   * @maxLength 10000
   * @example ["Needs a guide runner"]
   */
  notes?: string[];

  /** The team of the participant, by name. */
  team?: ImportedTeam | null;

  /**
   * Replaces your metadata of the participant, without changing the booking's: at most 10,000 characters of JSON.
   * `startline` belongs to the platform.
   * @mostJson 10000
   * @example {"shop": "Covent Garden"}
   */
  metadata?: Record<string, unknown>;
}
