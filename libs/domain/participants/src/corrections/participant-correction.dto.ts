import { BIB_NUMBER, DateOnly, Email, Id, Items, Json, Name, Text } from '#platform/validation';
import type { ImportedAnswer } from '../imported/imported-answer.dto';
import type { ImportedTeam } from '../imported/imported-participant.dto';

/** Changes of a participant. Absent properties do not change; `null` removes a value. */
export class ParticipantCorrection {
  @Name({ max: 255, example: 'Ada' }) firstName?: string | null;
  @Name({ max: 255, example: 'Lovelace' }) lastName?: string | null;

  /** If absent, the booker's email is used. */
  @Email() email?: string | null;

  /** Between 1900-01-01 and today. */
  @DateOnly() dateOfBirth?: string | null;

  /** A value of the options of the form field `gender`. */
  @Text({ max: 50, example: 'FEMALE' }) gender?: string | null;

  /**
   * The new bib, if no other participant of the race has it. 1 to 20 printable characters, without a space at the beginning or
   * end.
   */
  @Text({ max: 20, pattern: BIB_NUMBER, example: 'A123' }) bibNumber?: string | null;

  /** A wave of the ticket's race. */
  @Id() waveId?: string | null;

  /** Answers to questions of the ticket's forms; absent answers do not change. */
  @Items({ max: 200 }) fields?: ImportedAnswer[];

  /** Replaces all tags; `[]` removes them. */
  @Text({ max: 255, maxItems: 50, pattern: /\S/, example: ['club'] }) tags?: string[];

  /** Replaces all notes on the participant; `[]` removes them. */
  @Text({ max: 10_000, maxItems: 50, example: ['Needs a guide runner'] }) notes?: string[];

  /** The team of the participant, by name. */
  team?: ImportedTeam | null;

  /**
   * Replaces your metadata of the participant, without changing the booking's: at most 10,000 characters of JSON.
   * `startline` belongs to the platform.
   */
  @Json({ max: 10_000, example: { shop: 'Covent Garden' } }) metadata?: Record<string, unknown>;
}
