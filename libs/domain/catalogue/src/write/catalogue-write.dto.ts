import { Id, Int, Items, Json, Text, Value } from '#platform/validation';
import type { RecordKind } from '../format/records';

/** Records of a catalogue file. */
export class CatalogueWrite {
  /**
   * The records, as in a catalogue file (`docs/catalogue-files.md`): a whole file, or a part of one. A record must follow the records that
   * it refers to, unless they already exist. At most 4,194,304 characters of JSON.
   */
  @Json({
    max: 4_194_304,
    minItems: 1,
    maxItems: 200,
    example: [{ record: 'event', slug: 'harbour-run', title: 'Harbour Run' }],
  })
  records: Record<string, unknown>[];

  /**
   * Versions of the records that you saw, by id: at most 20,000 characters of JSON. If one has changed since, nothing is written, and the response is `400` with
   * `CHANGED_MEANWHILE` and the current records.
   */
  @Json({ max: 20_000, example: {} }) versions?: Record<string, string>;

  /** Write nothing, and respond with what would be written. */
  dryRun?: boolean;
}

/** Records of a catalogue file or table that staff write. */
export class StaffCatalogueWrite extends CatalogueWrite {
  /**
   * Of a table: the fields that it fills. What is stored in other fields of its occurrences stays, and new occurrences are drafts
   * unless the table says otherwise.
   */
  @Text({ max: 100, maxItems: 200, example: ['race.startDate'] }) columns?: string[];
}

/** A changed value. */
export class CatalogueChange {
  /** The property. */
  @Text({ max: 300, example: 'races[0].tickets[1].maxCapacity' }) path: string;

  /** What the lists in `path` name: `10K › Early bird`. */
  @Text({ max: 300, example: '10K › Early bird' }) of: string;

  /** The JSON of the former value, of which at most 500 characters; `null` if there was none. */
  @Text({ max: 501, example: '400' }) before: string | null;

  /** The JSON of the new value, of which at most 500 characters; `null` if there is none. */
  @Text({ max: 501, example: '500' }) after: string | null;
}

/** Whether the record is new, differs from what was stored, or neither. */
export type CatalogueOutcome = 'CREATED' | 'CHANGED' | 'UNCHANGED';

/** What was done with a record, or would be. */
export class WrittenRecord {
  /** The kind of the record. */
  record: RecordKind;

  /** Its key, title, slug or name: what identifies it. */
  @Text({ max: 500, example: 'harbour-run-2027' }) name: string;

  /** `null` if `dryRun` would create it. */
  @Id() id: string | null;
  outcome: CatalogueOutcome;

  /** The version of the record as it is stored now. `null` if `dryRun` would create it. */
  @Text({ max: 22, example: 'mJ0nT0rL5yB2q7Vd1eXw9A' }) version: string | null;

  /** What changed, of which at most 1,000; of a created record, its values. */
  @Items({ max: 1_000 }) changes: CatalogueChange[];

  /** The number of all changes. */
  @Int({ example: 1 }) changeCount: number;
}

export class CatalogueWritten {
  /** Nothing was written. */
  dryRun: boolean;

  /** In the order of the request. */
  @Items({ max: 200 }) records: WrittenRecord[];
}

/** A record of the catalogue as it is stored. */
export class CatalogueRecordState {
  @Id() id: string;

  /** Changes when the record does. Send it with `versions`. */
  @Text({ max: 22, example: 'mJ0nT0rL5yB2q7Vd1eXw9A' }) version: string;

  /** The record, as in a catalogue file with ids. */
  @Value({ example: { record: 'event', slug: 'harbour-run', title: 'Harbour Run' } })
  record: Record<string, unknown>;
}

/** The part of the catalogue that an occurrence consists of. */
export class CataloguePart {
  /** The booking form fields and booking forms of its tickets, its event, and the occurrence, in an order in which they can be loaded. */
  records: CatalogueRecordState[];
}
