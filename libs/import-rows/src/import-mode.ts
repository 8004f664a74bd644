/**
 * `CREATE` does not change existing records. `UPSERT` replaces or corrects them. `UPDATE` corrects them, and creates none.
 */
export type ImportMode = 'CREATE' | 'UPSERT' | 'UPDATE';
