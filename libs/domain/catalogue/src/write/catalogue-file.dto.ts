/** A catalogue file or race calendar. */
export class CatalogueFile {
  /**
   * Its name; the extension is that of its format.
   * @minLength 1
   * @maxLength 255
   * @example calendar.xlsx
   */
  name: string;

  /**
   * Its bytes in base64: at most 3 MB.
   * @minLength 1
   * @maxLength 4000000
   * @pattern ^[A-Za-z0-9+/]*={0,2}$
   * @example ZXZlbnQudGl0bGU=
   */
  content: string;

  /** Of a table: the order of day and month, where its dates leave it open. */
  dateOrder?: 'dmy' | 'mdy';

  /** Of a table: the sign before decimals, where its numbers leave it open. */
  decimal?: '.' | ',';

  /** Of a table: its encoding, if it is not the recognized one. */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

  /**
   * Of a table: what separates its columns, if it is not what was recognized.
   * @minLength 1
   * @maxLength 1
   * @example ;
   */
  delimiter?: string;

  /**
   * Of a table: the line with the names of the columns, if it is not the recognized one.
   * @integer
   * @minimum 1
   * @maximum 1000000
   * @example 3
   */
  header?: number;

  /**
   * Of a workbook: the name of the sheet; the first one by default.
   * @minLength 1
   * @maxLength 255
   * @example Calendar
   */
  sheet?: string;
}

/** A row that can't be read, or a warning about one that can. */
export class ProblemOfFile {
  /**
   * The line, or in a JSON array the position of the record, from 1.
   * @integer
   * @example 3
   */
  row: number;

  /**
   * The column or property; empty for the row as a whole.
   * @example race.startDate
   */
  field: string;

  /**
   * A sentence that names the rule.
   * @example must be a date that exists, YYYY-MM-DD
   */
  message: string;
}

/** The records of a file, as `PUT` of the catalogue accepts them, in its order. */
export class RecordsOfFile {
  /**
   * The records: at most 1,000.
   * @maxItems 1000
   * @example [{"record": "event", "slug": "harbour-run", "title": "Harbour Run"}]
   */
  records: Record<string, unknown>[];

  /**
   * Rows that can't be read, of which at most 200.
   * @maxItems 200
   */
  problems: ProblemOfFile[];

  /**
   * The number of rows that can't be read.
   * @integer
   * @example 0
   */
  problemCount: number;

  /**
   * What was assumed, of which at most 200.
   * @maxItems 200
   */
  warnings: ProblemOfFile[];
}
