/** The wave that a participant starts in. */
export class TimingWave {
  /** @format uuid */
  id: string;

  /** @example Wave A */
  title: string;

  /**
   * When it starts; `null` while that is not confirmed.
   * @format date-time
   */
  startDateTime: string | null;
}

/** What timing needs to know of a participant. */
export class TimingParticipant {
  /**
   * Send it as `data.participantId` of timing messages.
   * @format uuid
   */
  participantId: string;

  /**
   * The participant's id in the system that the entry was imported from.
   * @example runner-42
   */
  externalParticipantId: string | null;

  /**
   * The bib that the participant wears now.
   * @example 1042
   */
  bibNumber: string | null;

  /** @format uuid */
  eventOccurrenceId: string;

  /** @format uuid */
  raceId: string;

  /**
   * The race's title.
   * @example Half marathon
   */
  raceTitle: string;

  /** `null` where the participant has none yet. */
  wave: TimingWave | null;

  /** Whether the entry was cancelled: a cancelled participant does not start, and wears no bib. */
  cancelled: boolean;

  /**
   * Only for keys that were created with `--names`; `null` for others, and once the participant's data was removed.
   * @example Ada
   */
  firstName: string | null;

  /**
   * As `firstName`.
   * @example Lovelace
   */
  lastName: string | null;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}
