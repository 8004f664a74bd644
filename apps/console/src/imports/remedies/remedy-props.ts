import type { OpenRow } from '../rows/row-cells';
import type { Fields } from '../rows/use-fields';
import type { useTable } from '../rows/use-table';

export interface RemedyProps {
  /** The rows with the code. */
  rows: readonly OpenRow[];
  fields: Fields;
  table: ReturnType<typeof useTable>;
}
