import { Id } from '#platform/validation';
/** Where a participant moves within the event occurrence: to another ticket, another wave, or both. */
export class ParticipantMove {
  /** A ticket of the event occurrence. */
  @Id() ticketId?: string;

  /** A wave of the ticket's race; `null`: none. If absent, the wave stays as long as the race does. */
  @Id() waveId?: string | null;
}
