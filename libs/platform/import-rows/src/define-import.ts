import type { Type } from '@nestjs/common';
import type { Permission } from '#platform/access';
import type { ImportHandler } from './import-handler';
import type { BrokenRule } from './row-rules';

/**
 * The definition of an import. Its routes, surface, allowance, validation, client table and reference derive from it.
 */
export interface ImportDefinition<Surface extends string, Row> {
  /** The name of the surface, and of the operations: `creditsImport` gives `importCredits` and `getCreditsImport`. */
  surface: Surface;
  /** The group in the reference; `Imports` by default. */
  group?: 'Credits';
  /** The name of the rows in the reference. */
  what: string;
  /** For the reference; Markdown. */
  description: string;
  /** Below `/v0`. */
  path: string;
  /** The property of the body that contains the rows. */
  collection: string;
  /** The class of the body. */
  body: Type;
  /** The name of the class of a row. */
  row: string;
  /** Whether a PUT replaces rows that were imported before. */
  replaces?: boolean;
  /**
   * The effect of its PUT, if it corrects existing records and creates new ones only with `create=true`; Markdown.
   */
  corrects?: string;
  /** Whether `cancelled=skip` skips rows whose id belonged to a cancelled record. */
  skipsCancelled?: boolean;
  /** Whether partners' keys can import: its transactions find as the partner what their rows name. */
  forPartners?: true;
  /** The properties whose values together must be unique in a batch, as they are or as codes are compared. */
  identity: Readonly<Partial<Record<keyof Row & string, 'exact' | 'compared'>>>;
  /** The property with the external id, if any, which errors repeat. */
  externalId?: keyof Row & string;
  /** The properties of outcomes that contain our ids, and the column of each. A dry run shows only ids that exist. */
  ids: Readonly<Record<string, string>>;
  /** The broken rules that JSON Schema can't express. The row already matches its schema. */
  broken?(row: Row): BrokenRule[];
  /**
   * What a row competes for with rows of other jobs, such as the bibs of a race: a SELECT of texts in the column `thing`,
   * from the row `r` of `import_rows`. Jobs that compete for the same write their transactions one after the other.
   */
  competesFor?: string;
  /** Loaded by the worker only: the checking thread loads definitions but no domains. */
  handler(): ImportHandler<Row>;
  /** How imports are undone: the permission of keys that may, and the handler of jobs with the mode `UNDO`. */
  undo: { permission: Permission; handler(): ImportHandler<never> };
  /** Changes records that staff selected: the handler of jobs with the mode `CHANGE`. */
  change?(): ImportHandler<never>;
}

export const defineImport = <Surface extends `${string}Import`, Row>(
  definition: ImportDefinition<Surface, Row>,
): ImportDefinition<Surface, Row> => definition;
