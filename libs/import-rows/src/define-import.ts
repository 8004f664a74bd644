import type { Type } from '@nestjs/common';
import type { ImportHandler } from './import-handler';
import type { BrokenRule } from './row-rules';

/**
 * One import: what its rows are, and who imports them. The routes, the surface that an organization is enabled for, the
 * allowance, the check of a batch, the client's table and the reference derive from it.
 */
export interface ImportDefinition<Surface extends string, Row> {
  /** The name of the surface, and of the operations: `creditsImport` gives `importCredits` and `getCreditsImport`. */
  surface: Surface;
  /** Where the reference shows it, if not under `Imports`. */
  group?: 'Credits';
  /** What is imported, as the reference calls it. */
  what: string;
  /** For the reference; Markdown. */
  description: string;
  /** Below `/v0`. */
  path: string;
  /** The request's only property: the array of rows. */
  collection: string;
  /** The class of the request's body. */
  body: Type;
  /** The name of one row's schema: that of its class. */
  row: string;
  /** Whether a PUT replaces rows that were imported before. */
  replaces?: boolean;
  /** Whether `cancelled=skip` leaves out rows whose id belonged to something that was cancelled. */
  skipsCancelled?: boolean;
  /** What tells rows apart: the same twice in one batch answers 400. Undefined where the row has none. */
  identity(row: Row): string | undefined;
  /** The property that holds the caller's own id, if one does; errors repeat it. */
  externalId?: keyof Row & string;
  /** Rules that JSON Schema has no words for, of a row that keeps its schema: those that it breaks. */
  broken?(row: Row): BrokenRule[];
  /** Loaded by the worker alone: the thread that checks batches loads definitions, and has to stay small. */
  handler(): ImportHandler<Row>;
}

export const defineImport = <Surface extends `${string}Import`, Row>(
  definition: ImportDefinition<Surface, Row>,
): ImportDefinition<Surface, Row> => definition;
