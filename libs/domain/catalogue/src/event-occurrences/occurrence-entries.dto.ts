import { DateOnly, Id, Int, Items, Text } from '#platform/validation';
/** The entries of one day. */
export class EntriesOfDay {
  /** The day at the event. */
  @DateOnly() day: string;

  /** Entries of bookings on the website. */
  @Int({ example: 20 }) website: number;

  /** Entries that were imported through the API. */
  @Int({ example: 10 }) api: number;

  /** Entries that staff made. */
  @Int({ example: 1 }) dashboard: number;
}

/** The edition of an event before another one. */
export class EarlierEdition {
  @Id() id: string;
  @Text({ example: 'City Marathon 2026' }) title: string;

  /** The day of its first race, in its time zone. */
  @DateOnly() startDate: string;

  /** The last 800 days with entries. */
  @Items({ max: 800 }) days: EntriesOfDay[];
}

/** When the entries of an event occurrence were made that are approved and not cancelled. */
export class OccurrenceEntries {
  /** `null` while it is not confirmed. */
  @DateOnly() startDate: string | null;

  /** The last 800 days with entries. */
  @Items({ max: 800 }) days: EntriesOfDay[];

  /** The edition before it, if there is one. */
  previous: EarlierEdition | null;
}
