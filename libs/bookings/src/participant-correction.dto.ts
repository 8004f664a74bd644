import type { ImportedAnswer } from '#libs/start-list';
import type { ImportedTeam } from './booking-row.dto';

/** What of a participant is to change. What is left out stays as it is; `null` removes. */
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
   * Without one the booker's counts.
   * @format email
   * @maxLength 254
   */
  email?: string | null;

  /** @format date */
  dateOfBirth?: string | null;

  /**
   * @maxLength 50
   * @example FEMALE
   */
  gender?: string | null;

  /**
   * Claims the bib as of now. Letters, digits and ` ._/-`, at most 20.
   * @pattern ^[\p{L}\p{N}]([\p{L}\p{N} ._/-]{0,18}[\p{L}\p{N}])?$
   * @example A123
   */
  bibNumber?: string | null;

  /**
   * A wave of the ticket's race.
   * @format uuid
   */
  waveId?: string | null;

  /**
   * Answers to questions of the ticket's forms; those that are left out stay.
   * @maxItems 200
   */
  fields?: ImportedAnswer[];

  /**
   * All of them.
   * @maxItems 50
   * @example ["club"]
   */
  tags?: string[];

  /** The team that it runs in, by name. */
  team?: ImportedTeam | null;

  /**
   * All of your own metadata; `startline` is the platform's own.
   * @example {"shop": "Covent Garden"}
   */
  metadata?: Record<string, unknown>;
}
