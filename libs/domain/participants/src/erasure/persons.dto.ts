import { IsBoolean, IsEmail, IsIn, IsOptional, MaxLength } from 'class-validator';
import { PERSON_FORMATS, type PersonFormat } from './person-document';
import { PERSON_LANGUAGES, type PersonLanguage } from './person-words';

/** A person whose data is asked for. */
export class PersonExport {
  /**
   * Case is ignored.
   * @format email
   * @maxLength 254
   * @example ada.lovelace@example.com
   */
  @IsEmail()
  @MaxLength(254)
  email: string;

  /**
   * `json`, or `html` for a document to read and print.
   * @default json
   */
  @IsOptional()
  @IsIn(PERSON_FORMATS)
  format?: PersonFormat;

  /**
   * The language of the document.
   * @default en
   */
  @IsOptional()
  @IsIn(PERSON_LANGUAGES)
  language?: PersonLanguage;
}

/** Rows of a table about a person. */
export class PersonTable {
  /**
   * What the rows are, in the words of the database.
   * @example start_list_entries
   */
  table: string;

  /** The rows, with the columns that can hold personal data. */
  rows: Record<string, unknown>[];
}

/** Everything that is known of a person. */
export class PersonFile {
  /** @format email */
  email: string;

  /** @format date-time */
  createdAt: string;

  tables: PersonTable[];
}

/** A person to erase. */
export class PersonErasureRequest {
  /**
   * Case is ignored.
   * @format email
   * @maxLength 254
   * @example ada.lovelace@example.com
   */
  @IsEmail()
  @MaxLength(254)
  email: string;

  /** Only answers what would be erased. */
  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;
}

/** The changed rows of a table. */
export class ErasedRows {
  /**
   * What the rows are, in the words of the database.
   * @example start_list_entries
   */
  table: string;

  /**
   * The number of rows.
   * @integer
   * @example 3
   */
  rows: number;
}

/** A record that still has the address. */
export class KeptRecord {
  /**
   * `discount_codes` or `webhook_endpoints`; `start_list_entries`, `bookings` or `credits` if it arrived at the end of the erasure.
   * @example discount_codes
   */
  table: string;

  /** @format uuid */
  id: string;
}

/** What an erasure removed, or would remove. */
export class PersonErasure {
  /** Whether nothing was erased. */
  dryRun: boolean;

  /**
   * The entries of the person.
   * @integer
   * @example 2
   */
  entries: number;

  /** The changed rows, by table. */
  removed: ErasedRows[];

  /**
   * Unprocessed import rows that name the person: erase again after they are processed.
   * @integer
   * @example 0
   */
  importRowsAhead: number;

  /**
   * Codes that people enter and URLs that events are sent to, with the address in them: change them by hand. And records of the person that
   * arrived at the end: erase again. The first 100.
   */
  kept: KeptRecord[];
}
