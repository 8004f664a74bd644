import { Price } from '#platform/queries';
import { DateOnly, Id, Int, Text } from '#platform/validation';
import type { OccurrenceStatus } from './event-occurrences.dto';

/** How many places are taken. */
export class TakenPlaces {
  @Id() id: string;

  /** The title. */
  @Text({ example: 'Half marathon' }) title: string;

  /** How many places are taken. */
  @Int({ example: 812 }) usedCapacity: number;

  /** The limit; `null` without one. */
  @Int({ example: 1_000 }) maxCapacity: number | null;
}

/** A ticket of the occurrence. */
export class TakenTicket extends TakenPlaces {
  /** The title of its race. */
  @Text({ example: 'Half marathon' }) raceTitle: string;

  /** What it costs. */
  price: Price;
}

/** A reserved entry group of the occurrence. */
export class TakenGroup extends TakenPlaces {
  /** The name of its partner. */
  @Text({ example: 'Harbour Hospice' }) partnerName: string | null;
}

/** The entries of one day. */
export class DayOfSales {
  /** The day at the event. */
  @DateOnly() day: string;

  /** How many entries were made that are approved and not cancelled. */
  @Int({ example: 31 }) entries: number;
}

/** An event occurrence: its capacity and its entries by day. */
export class OccurrenceOverview {
  @Id() id: string;

  /** The title of the event occurrence. */
  @Text({ example: 'City Marathon' }) title: string;

  /** `null` while it is not confirmed. */
  @DateOnly() startDate: string | null;

  /** The time zone of the event. */
  @Text({ example: 'Europe/London' }) timeZone: string;
  status: OccurrenceStatus;

  /** Whether the marketplace lists it once it is published. */
  discoverable: boolean;

  /** The number of races. */
  @Int({ example: 3 }) raceCount: number;

  /** The first 500, in the order of the catalogue. `GET /v0/event-occurrences/{id}/races` lists all. */
  races: TakenPlaces[];

  /** The number of tickets that are not deleted. */
  @Int({ example: 7 }) ticketCount: number;

  /** The first 500, in the order of the catalogue. `GET /v0/event-occurrences/{id}/tickets` lists all. */
  tickets: TakenTicket[];

  /** The number of reserved groups. */
  @Int({ example: 2 }) reservedGroupCount: number;

  /** The first 500, by name. `GET /v0/event-occurrences/{id}/reserved-entries` lists all. */
  reservedGroups: TakenGroup[];

  /** Days with entries, of the last 90 days before the newest entry. */
  sales: DayOfSales[];
}
