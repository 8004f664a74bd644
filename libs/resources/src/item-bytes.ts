const CHUNK = 32_768;
/** The most bytes in UTF-8 of a code unit of a string. */
const BYTES_OF_UNIT = 3;

/**
 * The items of a page as UTF-8, encoded as they arrive. Strings that live until the whole page has arrived would only be freed by
 * a full garbage collection.
 */
export class ItemBytes {
  private chunk = Buffer.alloc(0);
  private used = 0;

  add(item: string): Buffer {
    if (this.chunk.length - this.used < item.length * BYTES_OF_UNIT)
      this.requireRoom(Buffer.byteLength(item));
    const end = this.used + this.chunk.write(item, this.used);
    const bytes = this.chunk.subarray(this.used, end);
    this.used = end;
    return bytes;
  }

  private requireRoom(bytes: number): void {
    if (this.chunk.length - this.used >= bytes) return;
    this.chunk = Buffer.allocUnsafe(Math.max(CHUNK, bytes));
    this.used = 0;
  }
}
