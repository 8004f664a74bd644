/** `CANCEL` can't be undone. */
export type ParticipantChangeType = 'TAG' | 'UNTAG' | 'WAVE' | 'CANCEL';

/** What happens to each of several participants. */
export class ParticipantChange {
  type: ParticipantChangeType;

  /**
   * Of `TAG` and `UNTAG`.
   * @pattern \S
   * @maxLength 255
   * @example club
   */
  tag?: string;

  /**
   * Of `WAVE`: a wave of the race of the participants; `null`: none.
   * @format uuid
   */
  waveId?: string | null;
}

/** What a job does to its participants. `BIB`: gives the bibs of a plan, or takes them back. */
export class ChangeOfJob {
  type: ParticipantChangeType | 'BIB';

  /**
   * Of `TAG` and `UNTAG`.
   * @example club
   */
  tag?: string;

  /**
   * Of `WAVE`; `null`: none.
   * @format uuid
   */
  waveId?: string | null;
}

/** The participants of a list with filters. */
export class ParticipantSelection {
  /** @format uuid */
  eventOccurrenceId?: string;

  /** @format uuid */
  raceId?: string;

  /** @format uuid */
  ticketId?: string;

  status?: 'CONFIRMED' | 'CANCELLED';

  /**
   * Only participants with this tag.
   * @maxLength 255
   * @example club
   */
  tag?: string;
}

/** A change of several participants: those with the ids, or all that match. */
export class ParticipantsChange {
  change: ParticipantChange;

  /**
   * @minItems 1
   * @maxItems 500
   * @format uuid
   */
  participantIds?: string[];

  /** Without properties: all participants. */
  matching?: ParticipantSelection;

  /**
   * Of `matching`: how many participants somebody has confirmed. If there are more now, nothing changes.
   * @integer
   * @minimum 1
   * @maximum 50000
   */
  atMost?: number;
}
