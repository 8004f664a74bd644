/** The wave of a participant. */
export class StartListWave {
  /** @format uuid */
  id: string;

  /**
   * The title.
   * @example Wave A
   */
  title: string;

  /**
   * When it starts.
   * @format date-time
   */
  startDateTime: string | null;
}

/** A participant for the lists and labels of the race-day desk. */
export class StartListPerson {
  /** @format uuid */
  participantId: string;

  /** @example Ada */
  firstName: string | null;

  /** @example Lovelace */
  lastName: string | null;

  /**
   * The bib, if there is one.
   * @example 1815
   */
  bibNumber: string | null;

  /**
   * The title of the ticket.
   * @example General entry
   */
  ticketTitle: string;

  /** The wave, if there is one. */
  wave: StartListWave | null;

  /**
   * The name of the team.
   * @example Swift Herons
   */
  teamName: string | null;

  /** Whether the race-day field `checkIn` is true. */
  checkedIn: boolean;

  /**
   * The answers to the questions that `answers` names, in its order; for the role `RACE_DAY`, none.
   * @example ["12 Harbour Road"]
   */
  answers: (string | null)[];
}
