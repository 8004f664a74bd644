/** `CREATE` leaves alone what is there already; `UPSERT` replaces it. */
export type ImportMode = 'CREATE' | 'UPSERT';
