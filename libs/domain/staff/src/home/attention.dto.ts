import { DateOnly, DateTime, Id, Int, Text } from '#platform/validation';
/**
 * `IMPORT_FAILURES`: an import of the last seven days that was not undone has failed rows that no correction has imported.
 * `IMPORT_WARNINGS`: it has rows with warnings. `IMPORT_WAITING`: a job waits for more than 10 minutes. `ENDPOINT_FAILING`: deliveries to a webhook endpoint fail.
 * `ENDPOINT_DISABLED`: it was disabled because of that. `RACE_NEARLY_FULL`: a race to come has at least 95 % of its places taken;
 * `RACE_OVERBOOKED`: more than it has. `APPLICATIONS`: applications for a ticket wait for a decision. `UNIDENTIFIED_MESSAGES`: timing
 * messages name nobody yet. `FEED_LAG`: race-day messages have waited for more than a minute to be processed.
 */
export type AttentionKind =
  | 'IMPORT_FAILURES'
  | 'IMPORT_WARNINGS'
  | 'IMPORT_WAITING'
  | 'ENDPOINT_FAILING'
  | 'ENDPOINT_DISABLED'
  | 'RACE_NEARLY_FULL'
  | 'RACE_OVERBOOKED'
  | 'APPLICATIONS'
  | 'UNIDENTIFIED_MESSAGES'
  | 'FEED_LAG';

/** Something that somebody should look at. */
export class AttentionItem {
  kind: AttentionKind;

  /** The job, endpoint, event occurrence or ticket; `null` for messages. */
  @Id() id: string | null;

  /** What it is called: the surface of an import, the URL of an endpoint, the title of a race or ticket. */
  @Text({ example: 'Half marathon' }) title: string | null;

  /** The event. */
  @Text({ example: 'City Marathon' }) eventTitle: string | null;

  /** The event occurrence of a ticket. */
  @Id() eventOccurrenceId: string | null;

  /** Failed rows, rows with warnings, minutes, attempts in a row, taken places, applications, messages, or seconds. */
  @Int({ example: 12 }) count: number;

  /** Rows of the import, or places of the race. */
  @Int({ example: 1_000 }) total: number | null;

  /** Since when; the newest first. */
  @DateTime() since: string | null;
}

/** What needs a hand; at most 10 of each kind. */
export class Attention {
  /** What needs attention, the most urgent first. */
  data: AttentionItem[];
}

/** The entries of one day. */
export class DayOfEntries {
  /** The day. */
  @DateOnly() day: string;

  /** How many entries were made. */
  @Int({ example: 31 }) entries: number;
}

/** An event to come. */
export class EventToCome {
  @Id() id: string;

  /** The title. */
  @Text({ example: 'City Marathon' }) title: string;

  /** The date of the event. */
  @DateOnly() startDate: string;

  /** The city of the event. */
  @Text({ example: 'Bristol' }) city: string | null;

  /** The places of its races that are taken, as its races count them: without those of groups with `IGNORE_CAPACITY`. */
  @Int({ example: 812 }) entries: number;

  /** The places of its races; `null` if one of them has no limit. */
  @Int({ example: 1_000 }) places: number | null;
}

/** The first page of the console. */
export class Home {
  /** Days with entries, in UTC, of the last 30: of who is registered now. */
  days: DayOfEntries[];

  /** The next five. */
  events: EventToCome[];
}
