/** JSON text. Its pieces are sent unchanged, one after another. */
export class JsonText {
  constructor(readonly pieces: readonly string[]) {}
}
