import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** A draw of a ballot. */
export class BallotDraw {
  /**
   * From 1, per ticket. Applications show it in `ballotDraw`.
   * @integer
   * @example 1
   */
  number: number;

  /**
   * The text that determines the lots.
   * @example 4-8-15-16-23-42
   */
  seed: string;

  /**
   * The entries to draw; of a team ticket, the teams.
   * @integer
   * @example 200
   */
  places: number;

  /** Whether applications that are not drawn stay pending, instead of being rejected. */
  keepsPending: boolean;

  /** Whether all applications of the draw are decided. */
  isFinished: boolean;

  /**
   * The applications in the draw.
   * @integer
   * @example 812
   */
  applications: number;

  /**
   * Those that were drawn.
   * @integer
   * @example 200
   */
  drawn: number;

  /**
   * Those that were not drawn.
   * @integer
   * @example 610
   */
  notDrawn: number;

  /**
   * Those that were decided elsewhere during the draw.
   * @integer
   * @example 1
   */
  decided: number;

  /**
   * Those that were drawn, but whose race or wave had no place left. They stay pending.
   * @integer
   * @example 1
   */
  full: number;
}

/** A draw, with the time of its start. */
export class StaffBallotDraw extends BallotDraw {
  /** @format date-time */
  createdAt: string;
}

/** A ticket whose applications are decided by a ballot. */
export class BallotTicket {
  /**
   * The id of the ticket.
   * @format uuid
   */
  id: string;

  /**
   * The title of the ticket.
   * @example Ballot entry
   */
  ticketTitle: string;

  /**
   * The title of the race.
   * @example Marathon
   */
  raceTitle: string;

  /** @format uuid */
  eventOccurrenceId: string;

  /**
   * The title of the event.
   * @example City Marathon
   */
  eventTitle: string;

  /**
   * The date of the event.
   * @format date
   */
  startDate: string | null;

  /**
   * The entries of a unit: more than 1 for team tickets.
   * @integer
   * @example 1
   */
  competitorSize: number;

  /**
   * The pending applications.
   * @integer
   * @example 812
   */
  pending: number;

  /**
   * The pending units: applications, or teams.
   * @integer
   * @example 812
   */
  pendingUnits: number;

  /**
   * How many units the ticket and its race have places for; `null` without a limit.
   * @integer
   * @example 200
   */
  placesLeft: number | null;

  /**
   * The number of draws.
   * @integer
   * @example 1
   */
  drawCount: number;

  /** @format date-time */
  createdAt: string;
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
   * @minimum 1
   * @maximum 1000000
   * @example 1
   */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  number: number;

  /**
   * The same seed and applications give the same result.
   * @maxLength 255
   * @example 4-8-15-16-23-42
   */
  @IsString()
  @Matches(/\S/, { message: 'seed must not be blank' })
  @MaxLength(255)
  seed: string;

  /**
   * The entries to draw; of a team ticket, the teams.
   * @minimum 0
   * @maximum 1000000
   * @example 200
   */
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  places: number;

  /** Leaves applications that are not drawn pending, for another draw. */
  @IsOptional()
  @IsBoolean()
  keepsPending?: boolean;
}
