/** A body that is JSON already, as PostgreSQL wrote it: its pieces are sent as they are, one after another. */
export class JsonText {
  constructor(readonly pieces: readonly string[]) {}
}
