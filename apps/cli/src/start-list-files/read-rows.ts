import type { JsonRow } from '#domain/catalogue';
import type { Item } from '#libs/sheets';
import { type BodyBounds, readJson } from '#platform/validation';

export interface FileRow extends JsonRow {
  /** The rows of a table that it was made from. */
  item?: Item;
}

/** What is not loaded from a file. */
export interface FileWarning {
  line: number;
  warning: string;
}

/** Cells can be any text, so the limits of JSON apply to rows of a table as well. */
export const withinBounds = (row: FileRow, bounds: BodyBounds): FileRow => ({
  ...row,
  ...readJson(Buffer.from(JSON.stringify(row.value)), bounds),
});
