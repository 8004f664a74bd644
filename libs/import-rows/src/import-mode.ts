/** `CREATE` does not change existing records; `UPSERT` replaces them. */
export type ImportMode = 'CREATE' | 'UPSERT';
