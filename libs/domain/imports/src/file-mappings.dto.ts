import { DateTime, Id, Json, Text, Value } from '#platform/validation';
import { IMPORT_DEFINITIONS } from './definitions';

const SURFACES: readonly string[] = IMPORT_DEFINITIONS.map(({ surface }) => surface);

/** How files with certain columns become rows of an import. */
export class FileMappingItem {
  @Id() id: string;

  /** The import that it is for. */
  @Text({ example: 'bookingsImport' }) surface: string;
  @Text({ example: 'Registrations of our website' }) name: string;

  /** The same for all files with the same columns: SHA-256 over their sorted names, in hexadecimal. */
  @Text({ example: '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b' }) fingerprint: string;

  /** Who saved it last. */
  @Text({ example: 'ada@example.com' }) savedBy: string;
  @DateTime() savedAt: string;
}

/** A mapping with its contents. */
export class FileMappingDetail extends FileMappingItem {
  /**
   * As `import send --map` takes it: `columns` with the field of each column, `values` of every row, and `matches` with the ids that
   * texts stand for.
   */
  @Value({ example: { columns: { Vorname: 'participants[0].firstName' } } }) mapping: Record<string, unknown>;
}

/** A mapping to save. One with the same name and import is replaced. */
export class FileMappingSaved {
  /** The import that it is for. */
  @Text({ max: 100, values: SURFACES, example: 'bookingsImport' }) surface: string;
  @Text({ max: 100, pattern: /\S/, example: 'Registrations of our website' }) name: string;

  /**
   * `columns` with the field of each column, `values` of every row, and `matches` with the ids that texts stand for: at most
   * 60,000 characters of JSON.
   */
  @Json({ max: 60_000, example: { columns: { Vorname: 'participants[0].firstName' } } })
  mapping: Record<string, unknown>;
}
