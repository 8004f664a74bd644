import { DateOnly, DateTime, Id, Int, Text } from '#platform/validation';

/** A draw of a ballot. */
export class BallotDraw {
  /** From 1, per ticket. Applications show it in `ballotDraw`. */
  @Int({ example: 1 }) number: number;

  /** The text that determines the lots. */
  @Text({ example: '4-8-15-16-23-42' }) seed: string;

  /** The entries to draw; of a team ticket, the teams. */
  @Int({ example: 200 }) places: number;

  /** Whether applications that are not drawn stay pending, instead of being rejected. */
  keepsPending: boolean;

  /** Whether all applications of the draw are decided. */
  isFinished: boolean;

  /** The applications in the draw. */
  @Int({ example: 812 }) applications: number;

  /** Those that were drawn. */
  @Int({ example: 200 }) drawn: number;

  /** Those that were not drawn. */
  @Int({ example: 610 }) notDrawn: number;

  /** Those that were decided elsewhere during the draw. */
  @Int({ example: 1 }) decided: number;

  /** Those that were drawn, but whose race or wave had no place left. They stay pending. */
  @Int({ example: 1 }) full: number;

  /** Those of persons who have a lot by an earlier application. They stay pending, with `DUPLICATE` in `statusDetails`. */
  @Int({ example: 3 }) duplicates: number;
}

/** A draw, with the time of its start. */
export class StaffBallotDraw extends BallotDraw {
  @DateTime() createdAt: string;
}

/** A ticket whose applications are decided by a ballot. */
export class BallotTicket {
  /** The id of the ticket. */
  @Id() id: string;

  /** The title of the ticket. */
  @Text({ example: 'Ballot entry' }) ticketTitle: string;

  /** The title of the race. */
  @Text({ example: 'Marathon' }) raceTitle: string;
  @Id() eventOccurrenceId: string;

  /** The title of the event. */
  @Text({ example: 'City Marathon' }) eventTitle: string;

  /** The date of the event. */
  @DateOnly() startDate: string | null;

  /** The entries of a unit: more than 1 for team tickets. */
  @Int({ example: 1 }) competitorSize: number;

  /** The pending applications. */
  @Int({ example: 812 }) pending: number;

  /** The pending units: applications, or teams. */
  @Int({ example: 812 }) pendingUnits: number;

  /** How many units the ticket and its race have places for; `null` without a limit. */
  @Int({ example: 200 }) placesLeft: number | null;

  /** The number of draws. */
  @Int({ example: 1 }) drawCount: number;
  @DateTime() createdAt: string;
}

/** A ballot with its draws. */
export class StaffBallot extends BallotTicket {
  /** The 20 newest draws, newest first. */
  draws: StaffBallotDraw[];
}

/** A draw to make, or to continue. */
export class BallotDrawRequest {
  /**
   * The number of the draw: `drawCount` + 1 for a new one. Repeating the request continues the draw, and answers its result when it has
   * finished.
   */
  @Int({ min: 1, max: 1_000_000, example: 1 }) number: number;

  /** The same seed and applications give the same result. */
  @Text({ max: 255, pattern: /\S/, example: '4-8-15-16-23-42' }) seed: string;

  /** The entries to draw; of a team ticket, the teams. */
  @Int({ min: 0, max: 1_000_000, example: 200 }) places: number;

  /** Leaves applications that are not drawn pending, for another draw. */
  keepsPending?: boolean;
}
