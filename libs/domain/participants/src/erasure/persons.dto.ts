import { PERSON_JOB_KINDS, PERSON_JOB_STATUSES } from '#platform/database';
import { DateTime, Email, Id, Int, Text } from '#platform/validation';
import { ParticipantRedaction } from '../staff-participants.dto';

/** A person whose data is asked for. */
export class PersonExport {
  /** Case is ignored. */
  @Email({ example: 'ada.lovelace@example.com' }) email: string;
}

/** Rows of a table about a person. */
export class PersonTable {
  /** What the rows are, in the words of the database. */
  @Text({ example: 'start_list_entries' }) table: string;

  /** The rows, with the columns that can hold personal data. */
  rows: Record<string, unknown>[];
}

/** Everything that is known of a person. */
export class PersonFile {
  @Email() email: string;
  @DateTime() createdAt: string;

  /** What is stored, by table. */
  tables: PersonTable[];
}

/** A person to erase. */
export class PersonErasureRequest {
  /** Case is ignored. */
  @Email({ example: 'ada.lovelace@example.com' }) email: string;

  /** Only answers what would be erased. */
  dryRun?: boolean;
}

/** The changed rows of a table. */
export class ErasedRows {
  /** What the rows are, in the words of the database. */
  @Text({ example: 'start_list_entries' }) table: string;

  /** The number of rows. */
  @Int({ example: 3 }) rows: number;
}

/** A record that still has the address. */
export class KeptRecord {
  /** What it is, in the words of the database, such as `discount_codes`. */
  @Text({ example: 'discount_codes' }) table: string;

  /** Its id, or the parts of its key, separated by slashes. */
  @Text({ example: '0192f0c1-0000-7000-8000-000000000001' }) id: string;
}

/** What an erasure removed, or would remove. */
export class PersonErasure {
  /** Whether nothing was erased. */
  dryRun: boolean;

  /** The entries of the person. */
  @Int({ example: 2 }) entries: number;

  /** The changed rows, by table. */
  removed: ErasedRows[];

  /** Unprocessed import rows that name the person: erase again after they are processed. */
  @Int({ example: 0 }) importRowsAhead: number;

  /**
   * What the organizer wrote with the address in it, such as codes that people enter and URLs that events are sent to: change it by hand. And
   * records of the person that arrived at the end: erase again. The first 100.
   */
  kept: KeptRecord[];
}

/** Work of a worker on all data of a person. It is deleted a day after its end, and a file with it. */
export class PersonWork {
  @Id() jobId: string;

  /** What is done. */
  kind: (typeof PERSON_JOB_KINDS)[number];

  /** Whether it changes nothing. */
  dryRun: boolean;

  /** `FAILED` work can be requested again: it begins anew. */
  status: (typeof PERSON_JOB_STATUSES)[number];

  /** The rows of the organization that were searched until now. */
  @Int({ example: 120_000 }) searchedRows: number;

  /** The result of an erasure that is completed. */
  erasure: PersonErasure | null;

  /** The result of a redaction that is completed. */
  redaction: ParticipantRedaction | null;

  @DateTime() createdAt: string;
  @DateTime() startedAt: string | null;
  @DateTime() finishedAt: string | null;
}
