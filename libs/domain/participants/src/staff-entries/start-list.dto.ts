import { DateTime, Id, Text, Value } from '#platform/validation';
/** The wave of a participant. */
export class StartListWave {
  @Id() id: string;

  /** The title. */
  @Text({ example: 'Wave A' }) title: string;

  /** When it starts. */
  @DateTime() startDateTime: string | null;
}

/** A participant for the lists and labels of the race-day desk. */
export class StartListPerson {
  @Id() participantId: string;
  @Text({ example: 'Ada' }) firstName: string | null;
  @Text({ example: 'Lovelace' }) lastName: string | null;

  /** The bib, if there is one. */
  @Text({ example: '1815' }) bibNumber: string | null;

  /** The title of the ticket. */
  @Text({ example: 'General entry' }) ticketTitle: string;

  /** The wave, if there is one. */
  wave: StartListWave | null;

  /** The name of the team. */
  @Text({ example: 'Swift Herons' }) teamName: string | null;

  /** Whether the race-day field `checkIn` is true. */
  checkedIn: boolean;

  /** The answers to the questions that `answers` names, in its order; for the role `RACE_DAY`, none. */
  @Value({ example: ['12 Harbour Road'] }) answers: (string | null)[];
}
