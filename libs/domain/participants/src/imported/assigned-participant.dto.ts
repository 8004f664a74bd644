import { DateOnly, Email, Items, Name, Text } from '#platform/validation';
import type { ImportedAnswer } from './imported-answer.dto';

class PlacedPerson {
  @Name({ max: 255, example: 'Ada' }) firstName?: string | null;
  @Name({ max: 255, example: 'Lovelace' }) lastName?: string | null;

  /** Between 1900-01-01 and today. */
  @DateOnly({ example: '1990-04-12' }) dateOfBirth?: string | null;

  /** A value of the options of the form field `gender`. */
  @Text({ max: 50, example: 'FEMALE' }) gender?: string | null;

  /** Answers to the questions of the booking forms. */
  @Items({ max: 200 }) fields?: ImportedAnswer[];
}

/** The person who gets a reserved place. */
export class AssignedParticipant extends PlacedPerson {
  @Email() email: string;
}

/** The person who gets the place of another. */
export class NewHolder extends PlacedPerson {
  /** If absent, the booker's email is used. Required if the person becomes the booker, or the reserved entry group compares addresses. */
  @Email() email?: string | null;
}
