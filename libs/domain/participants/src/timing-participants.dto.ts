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

/** The team of a participant. */
export class TimingTeam {
  /** @format uuid */
  id: string;

  /** @example Analytical Engines */
  name: string;
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

  /** `null` if the participant has no wave, or the key does not read `wave`. */
  wave: TimingWave | null;

  /** Whether the entry was cancelled: a cancelled participant does not start, and holds no bib. */
  cancelled: boolean;

  /**
   * For keys that read `names`. What a key does not read is `null`, here and below, and so is everything after the participant's data was removed.
   * @example Ada
   */
  firstName: string | null;

  /**
   * Same as `firstName`.
   * @example Lovelace
   */
  lastName: string | null;

  /**
   * The answer to the question for the gender, for keys that read `gender`.
   * @example FEMALE
   */
  gender: string | null;

  /**
   * The age in years on the day of the race, in the time zone of the event, for keys that read `ageOnRaceDay`. Whoever is born on 29 February has
   * their birthday on 1 March in other years.
   * @integer
   * @example 36
   */
  ageOnRaceDay: number | null;

  /**
   * For keys that read `yearOfBirth`.
   * @integer
   * @example 1990
   */
  yearOfBirth: number | null;

  /** For keys that read `team`. */
  team: TimingTeam | null;

  /**
   * The answers to the questions that the key reads, by the key of the field; `null` for keys that read none.
   * @example {"tShirtSize": "M"}
   */
  answers: Record<string, unknown> | null;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}
