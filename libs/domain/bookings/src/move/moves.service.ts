import { Injectable } from '@nestjs/common';
import { PARTICIPANT, type Participant } from '#domain/participants';
import { type Actor, audit, type Caller, changesBetween } from '#platform/access';
import { Database } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import { moveParticipant } from './move-participant';
import type { ParticipantMove } from './participant-move.dto';

/** Moves participants to other tickets and waves. */
@Injectable()
export class MovesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /** @throws ApiError as `moveParticipant` */
  async move(caller: Caller, participantId: string, move: ParticipantMove, by: Actor): Promise<JsonText> {
    if (Object.keys(move).length === 0)
      throw errors.invalidAt('', 'REQUIRED', 'must have ticketId or waveId');
    const { organizationId } = caller;
    const answer = await this.database.of(organizationId).transaction(async (manager, reader) => {
      const read = () => this.reads.one(PARTICIPANT, caller, participantId, {}, reader);
      const before = await read();
      const moved = await moveParticipant(manager, organizationId, participantId, move);
      const after = await read();
      if (moved)
        await audit(manager, by, {
          ...{ organizationId, action: 'participant.move', objectType: 'participant' },
          ...{
            objectId: participantId,
            details: { ...moved },
            changes: changesBetween(placeIn(before), placeIn(after)),
          },
        });
      return after;
    });
    // A bib that the participant left has another holder now.
    this.producer.enqueue('race-day', { organizationId });
    return answer;
  }
}

function placeIn({ pieces }: JsonText): Record<string, unknown> {
  const { raceName, ticketTitle, waves, bibNumber }: Participant = JSON.parse(pieces.map(String).join(''));
  return { ticket: `${raceName}: ${ticketTitle}`, wave: waves[0]?.title ?? null, bibNumber };
}
