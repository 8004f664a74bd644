import { Injectable } from '@nestjs/common';
import type { Actor } from '#platform/access';
import { Database } from '#platform/database';
import { JobProducer } from '#platform/queues';
import { errors, problem } from '#platform/validation';
import { BallotRefused, drawBallot } from '../draw-ballot';
import type { BallotDraw, BallotDrawRequest } from './ballots.dto';

/** Each decides 200 applications, so that a request takes about a second. */
const STEPS_PER_REQUEST = 5;

/** Draws of staff, which have the same result as those of the command line. */
@Injectable()
export class BallotsService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
  ) {}

  /**
   * Makes the next steps of a draw.
   *
   * @throws ApiError 404 if the organization has no such ticket; 400 if it has no ballot, its places do not suffice, or another draw is
   * unfinished or has the number
   */
  async draw(
    { organizationId, actor }: { organizationId: string; actor: Actor },
    ticketId: string,
    { number, seed, places, keepsPending = false }: BallotDrawRequest,
  ): Promise<BallotDraw> {
    const request = { ticketId, seed, places, keepsPending, number, mostSteps: STEPS_PER_REQUEST };
    const { isFinished, applications, drawn, notDrawn, decided, full, duplicates, enqueuesRaceDay } =
      await drawBallot(this.database.of(organizationId), request, actor).catch((error: unknown) => {
        if (!(error instanceof BallotRefused)) throw error;
        if (error.code === 'NOT_FOUND') throw errors.notFound();
        const refused =
          error.code === 'REFUSED'
            ? problem('', 'CHANGED_MEANWHILE', '')
            : problem('places', 'OUT_OF_RANGE', '');
        throw errors.invalidBody([{ ...refused, message: error.message }]);
      });
    if (enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId });
    return {
      ...{ number, seed, places, keepsPending, isFinished },
      ...{ applications, drawn, notDrawn, decided, full, duplicates },
    };
  }
}
