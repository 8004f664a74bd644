import { DateOnly, Email, Items, Name, Text } from '#platform/validation';
import type { ImportedAnswer } from './imported-answer.dto';

/** The person who gets a place. */
export class AssignedParticipant {
  @Name({ max: 255, example: 'Ada' }) firstName?: string | null;
  @Name({ max: 255, example: 'Lovelace' }) lastName?: string | null;
  @Email() email: string;

  /** Between 1900-01-01 and today. */
  @DateOnly({ example: '1990-04-12' }) dateOfBirth?: string | null;

  /** A value of the options of the form field `gender`. */
  @Text({ max: 50, example: 'FEMALE' }) gender?: string | null;

  /** Answers to the questions of the booking forms. */
  @Items({ max: 200 }) fields?: ImportedAnswer[];
}
