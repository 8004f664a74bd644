/** A field of an import's row, as the OpenAPI document has it. */
export interface ImportField {
  /** `participants[0].email` and so on. */
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
