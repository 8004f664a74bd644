import type { Encoding } from '#libs/sheets';
import { Int, Items, Json, Text, Value } from '#platform/validation';

/** A cell of a table with its corrected text. */
export class CorrectedCell {
  /** The line of its row. */
  @Int({ min: 1, max: 2_000_000, example: 3 }) line: number;
  /** The name of its column. */
  @Text({ min: 1, max: 500, example: 'Date' }) column: string;
  /** What it should have been. */
  @Text({ max: 10_000, example: '2027-05-04' }) text: string;
}

/** A catalogue file or race calendar. */
export class CatalogueFile {
  /** Its name; the extension is that of its format. */
  @Text({ max: 255, pattern: /\S/, example: 'calendar.xlsx' }) name: string;

  /** Its bytes in base64: at most 3 MB. */
  @Text({ min: 1, max: 4_000_000, pattern: /^[A-Za-z0-9+/]*={0,2}$/, example: 'ZXZlbnQudGl0bGU=' })
  content: string;

  /**
   * Of a table: what is said about it, as `catalogue load --map` takes it: `columns` with the field of each column, `readings` and `accepted`
   * by column, `values` of every row, and `matches`. Columns without a field here are recognized by name.
   */
  @Json({ max: 200_000, example: { columns: { Start: 'race.startTime' } } }) mapping?: Record<
    string,
    unknown
  >;

  /** Of a table: cells that were corrected. */
  @Items({ max: 1_000 }) corrections?: CorrectedCell[];

  /** Of a table: the day of waves whose time is before that of their race: that of the race, or the next one. */
  waveDay?: 'same' | 'next';

  /** Of a table: its encoding, if it is not the recognized one. */
  encoding?: Encoding;

  /** Of a table: what separates its columns, if it is not what was recognized. */
  @Text({ min: 1, max: 1, example: ';' }) delimiter?: string;

  /** Of a table: the line with the names of the columns, if it is not the recognized one. */
  @Int({ min: 1, max: 1_000_000, example: 3 }) header?: number;

  /** Of a workbook: the name of the sheet, if several have cells. */
  @Text({ min: 1, max: 255, example: 'Calendar' }) sheet?: string;

  /** Of a workbook: whether its hidden rows and columns are read, if it has some. */
  hidden?: 'read' | 'skip';
}

/** A row that can't be read, or a warning about one that can. */
export class ProblemOfFile {
  /** The line, or in a JSON array the position of the record, from 1. */
  @Int({ example: 3 }) row: number;

  /** The column or property; empty for the row as a whole. */
  @Text({ example: 'race.startDate' }) field: string;

  /** A sentence that names the rule. */
  @Text({ example: 'must be a date that exists, YYYY-MM-DD' }) message: string;

  /** `WAVE_BEFORE_RACE`: `waveDay` settles it. */
  @Text({ example: null }) code: string | null;
}

/** The records of a file, as `PUT` of the catalogue accepts them, in its order. */
export class RecordsOfFile {
  /** The records: at most 1,000. */
  @Items({ max: 1_000, example: [{ record: 'event', slug: 'harbour-run', title: 'Harbour Run' }] })
  records: Record<string, unknown>[];

  /** Rows that can't be read, of which at most 200. */
  @Items({ max: 200 }) problems: ProblemOfFile[];

  /** The number of rows that can't be read. */
  @Int({ example: 0 }) problemCount: number;

  /** What was assumed, of which at most 200. */
  @Items({ max: 200 }) warnings: ProblemOfFile[];

  /** Of a table: the fields that it fills, for `columns` when the records are written. */
  @Text({ max: 100, example: null }) filled: string[] | null;

  /**
   * Of a table: how it is read (`columns`, `fields`, `questions`, `readings`, `conversions`, `unused`, `matches`, `candidates`). While a question
   * is open, there are no records.
   */
  @Value({ example: null }) calendar: Record<string, unknown> | null;
}
