import { DateTime, Id, Int, Text, Value } from '#platform/validation';
/** The wave of a participant. */
export class TimingWave {
  @Id() id: string;
  @Text({ example: 'Wave A' }) title: string;

  /** The start time; `null` until it is confirmed. */
  @DateTime() startDateTime: string | null;
}

/** The team of a participant. */
export class TimingTeam {
  @Id() id: string;
  @Text({ example: 'Analytical Engines' }) name: string;
}

/** The data of a participant for timing. */
export class TimingParticipant {
  /** Send it as `data.participantId` of timing messages. */
  @Id() participantId: string;

  /** The participant's id in the system that the entry was imported from. */
  @Text({ example: 'runner-42' }) externalParticipantId: string | null;

  /** The current bib of the participant. */
  @Text({ example: '1042' }) bibNumber: string | null;
  @Id() eventOccurrenceId: string;
  @Id() raceId: string;

  /** The race's title. */
  @Text({ example: 'Half marathon' }) raceTitle: string;

  /** `null` if the participant has no wave, or the key does not read `wave`. */
  wave: TimingWave | null;

  /** Whether the entry was cancelled: a cancelled participant does not start, and holds no bib. */
  cancelled: boolean;

  /** For keys that read `names`. What a key does not read is `null`, here and below, and so is everything after the participant's data was removed. */
  @Text({ example: 'Ada' }) firstName: string | null;

  /** Same as `firstName`. */
  @Text({ example: 'Lovelace' }) lastName: string | null;

  /** The answer to the question for the gender, for keys that read `gender`. */
  @Text({ example: 'FEMALE' }) gender: string | null;

  /**
   * The age in years on the day of the race, in the time zone of the event, for keys that read `ageOnRaceDay`. Whoever is born on 29 February has
   * their birthday on 1 March in other years.
   */
  @Int({ example: 36 }) ageOnRaceDay: number | null;

  /** For keys that read `yearOfBirth`. */
  @Int({ example: 1_990 }) yearOfBirth: number | null;

  /** For keys that read `team`. */
  team: TimingTeam | null;

  /** The answers to the questions that the key reads, by the key of the field; `null` for keys that read none. */
  @Value({ example: { tShirtSize: 'M' } }) answers: Record<string, unknown> | null;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}
