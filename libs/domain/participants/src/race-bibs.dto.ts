import { Id, Int } from '#platform/validation';
/** The bibs of a race. */
export class RaceBibs {
  /** The race. */
  @Id() id: string;

  /** The highest bib that is a number and that a participant has or claims; 0 if there is none. */
  @Int({ example: 1_815 }) highest: number;
}
