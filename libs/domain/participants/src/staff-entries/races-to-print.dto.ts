import { DateOnly, Id, Text } from '#platform/validation';
/** A wave of a race. */
export class WaveToPrint {
  @Id() id: string;

  /** The title. */
  @Text({ example: 'Wave A' }) title: string;
}

/** A race whose lists and labels can be printed. */
export class RaceToPrint {
  @Id() id: string;

  /** The title. */
  @Text({ example: 'Marathon' }) title: string;
  @Id() eventOccurrenceId: string;

  /** The title of the event. */
  @Text({ example: 'City Marathon' }) eventTitle: string;

  /** The date of the event. */
  @DateOnly() startDate: string | null;

  /** The time zone of the event. */
  @Text({ example: 'Europe/London' }) timeZone: string;

  /** The first 500, in the order of their starts. */
  waves: WaveToPrint[];
}
