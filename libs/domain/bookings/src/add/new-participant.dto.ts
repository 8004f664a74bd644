import { ImportedParticipant } from '#domain/participants';
import { Id, Text, Value } from '#platform/validation';

/** A participant whom staff add. It gets a booking of its own, with the participant as the booker. */
export class NewParticipant {
  /** A random text that the client makes. Repeating the request with it adds nobody; with other values, it is refused (`ALREADY_ADDED`). */
  @Text({ max: 100, pattern: /\S/, example: '5f0c6a52-2f0e-4a83-9a53-0c4b6e7d1f20' }) requestId: string;
  @Id() eventOccurrenceId: string;

  /** With an email. */
  participant: ImportedParticipant;

  /** Adds the participant although the ticket, its race or the wave has no place left. */
  @Value({ default: false }) beyondCapacity?: boolean;
}
