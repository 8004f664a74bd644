/** JSON text. Its pieces, strings or UTF-8, are sent unchanged, one after another. */
export class JsonText {
  /** @param before the text shows all changes before this time; absent: all that were committed when it was read */
  constructor(
    readonly pieces: readonly (string | Buffer)[],
    private readonly before?: string,
  ) {}

  /** Whether it shows all changes until then; null is the beginning. */
  shows(until: string | null): boolean {
    return this.before === undefined || (until ?? '') < this.before;
  }
}
