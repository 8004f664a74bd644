import { Id, Int, Text } from '#platform/validation';
/** Places of a race or a ticket with a maximum. */
export class ImportPlaces {
  /** The race or the ticket. */
  @Id() id: string;
  @Text({ example: '10 km' }) title: string;
  @Id() eventOccurrenceId: string;

  /** The title of the event. */
  @Text({ example: 'City Run 2027' }) eventOccurrenceTitle: string;

  /** The places that there are. */
  @Int({ example: 745 }) maximum: number;

  /** The places that are used now. */
  @Int({ example: 1_224 }) used: number;

  /** The places of rows of the job that are imported. A dry run would use them in addition to `used`. */
  @Int({ example: 1_100 }) added: number;
}

/** The places that an import of bookings uses. */
export class ImportPlacesOfJob {
  /** At most 100, the most overbooked first. */
  races: ImportPlaces[];

  /** At most 100, the most overbooked first. */
  tickets: ImportPlaces[];
}
