import { Id, Int, Text } from '#platform/validation';
/** `CANCEL` can't be undone. */
export type ParticipantChangeType = 'TAG' | 'UNTAG' | 'WAVE' | 'CANCEL';

/** What happens to each of several participants. */
export class ParticipantChange {
  type: ParticipantChangeType;

  /** Of `TAG` and `UNTAG`. */
  @Text({ max: 255, pattern: /\S/, example: 'club' }) tag?: string;

  /** Of `WAVE`: a wave of the race of the participants; `null`: none. */
  @Id() waveId?: string | null;
}

/** What a job does to its participants. `BIB`: gives the bibs of a plan, or takes them back. */
export class ChangeOfJob {
  type: ParticipantChangeType | 'BIB';

  /** Of `TAG` and `UNTAG`. */
  @Text({ example: 'club' }) tag?: string;

  /** Of `WAVE`; `null`: none. */
  @Id() waveId?: string | null;
}

/** The participants of a list with filters. */
export class ParticipantSelection {
  @Id() eventOccurrenceId?: string;
  @Id() raceId?: string;
  @Id() ticketId?: string;
  status?: 'CONFIRMED' | 'CANCELLED';

  /** Only participants with this tag. */
  @Text({ max: 255, example: 'club' }) tag?: string;
}

/** A change of several participants: those with the ids, or all that match. */
export class ParticipantsChange {
  change: ParticipantChange;
  @Id({ minItems: 1, maxItems: 500 }) participantIds?: string[];

  /** Without properties: all participants. */
  matching?: ParticipantSelection;

  /** Of `matching`: how many participants somebody has confirmed. If there are more now, nothing changes. */
  @Int({ min: 1, max: 50_000 }) atMost?: number;
}
