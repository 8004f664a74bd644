/** A field of an import row, from the OpenAPI document. */
export interface ImportField {
  /** A path such as `participants[0].email`. */
  path: string;
  type: string;
  required: boolean;
  format?: string;
  values?: string[];
  description?: string;
  example?: unknown;
}

export interface ImportShape {
  /** The property of the body that holds the rows. */
  collection: string;
  fields: ImportField[];
}
