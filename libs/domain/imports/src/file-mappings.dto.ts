import { IsIn, IsString } from 'class-validator';
import { IMPORT_DEFINITIONS } from './definitions';

const SURFACES: readonly string[] = IMPORT_DEFINITIONS.map(({ surface }) => surface);

/** How files with certain columns become rows of an import. */
export class FileMappingItem {
  /** @format uuid */
  id: string;

  /**
   * The import that it is for.
   * @example bookingsImport
   */
  surface: string;

  /**
   * @example Registrations of our website
   */
  name: string;

  /**
   * The same for all files with the same columns: SHA-256 over their sorted names, in hexadecimal.
   * @example 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b
   */
  fingerprint: string;

  /**
   * Who saved it last.
   * @example ada@example.com
   */
  savedBy: string;

  /** @format date-time */
  savedAt: string;
}

/** A mapping with its contents. */
export class FileMappingDetail extends FileMappingItem {
  /**
   * As `import send --map` takes it: `columns` with the field of each column, `values` of every row, and `matches` with the ids that
   * texts stand for.
   * @example {"columns": {"Vorname": "participants[0].firstName"}}
   */
  mapping: Record<string, unknown>;
}

/** A mapping to save. One with the same name and import is replaced. */
export class FileMappingSaved {
  /**
   * The import that it is for.
   * @maxLength 100
   * @example bookingsImport
   */
  @IsIn(SURFACES)
  surface: string;

  /**
   * @pattern \S
   * @maxLength 100
   * @example Registrations of our website
   */
  @IsString()
  name: string;

  /**
   * `columns` with the field of each column, `values` of every row, and `matches` with the ids that texts stand for: at most
   * 60,000 characters of JSON.
   * @mostJson 60000
   * @example {"columns": {"Vorname": "participants[0].firstName"}}
   */
  mapping: Record<string, unknown>;
}
