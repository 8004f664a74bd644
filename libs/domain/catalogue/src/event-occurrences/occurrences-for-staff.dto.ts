import { DateOnly, Id, Text } from '#platform/validation';
import type { OccurrenceStatus } from './event-occurrences.dto';

/** An event occurrence in the console's list. */
export class StaffOccurrence {
  @Id() id: string;
  @Text({ example: 'City Marathon 2027' }) title: string;

  /** The start date in the time zone of the occurrence; `null` if there is none yet. */
  @DateOnly() startDate: string | null;

  /** The IANA time zone of its dates and times. */
  @Text({ example: 'Europe/London' }) timeZone: string;
  status: OccurrenceStatus;

  /** Whether the marketplace lists it while it is published. */
  discoverable: boolean;
  @Text({ max: 500, example: 'Bristol' }) city: string | null;
}
