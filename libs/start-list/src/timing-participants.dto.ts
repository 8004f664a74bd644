/** The wave of a participant. */
export class TimingWave {
  /** @format uuid */
  id: string;

  /** @example Wave A */
  title: string;

  /**
   * The start time; `null` until it is confirmed.
   * @format date-time
   */
  startDateTime: string | null;
}

/** The data of a participant for timing. */
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
   * The current bib of the participant.
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

  /** `null` if the participant has no wave. */
  wave: TimingWave | null;

  /** Whether the entry was cancelled: a cancelled participant does not start, and holds no bib. */
  cancelled: boolean;

  /**
   * Only for keys that were created with `--names`; `null` for others, and after the participant's data was removed.
   * @example Ada
   */
  firstName: string | null;

  /**
   * Same as `firstName`.
   * @example Lovelace
   */
  lastName: string | null;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}
