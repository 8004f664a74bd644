/** A body that is JSON already, as PostgreSQL wrote it: it is sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}
