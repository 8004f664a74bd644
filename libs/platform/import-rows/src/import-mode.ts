/**
 * `CREATE` does not change existing records. `UPSERT` replaces or corrects them. `UPDATE` corrects them, and creates none.
 * `UNDO` cancels what another job made. `CHANGE` changes records that staff selected.
 */
export type ImportMode = 'CREATE' | 'UPSERT' | 'UPDATE' | 'UNDO' | 'CHANGE';
