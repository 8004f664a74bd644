/** Of one allocation. */
const BLOCK = 65_536;
/** The most bytes in UTF-8 of a code unit of a string. */
const BYTES_OF_UNIT = 3;
const COMMA = 0x2c;

/**
 * Items of a page as UTF-8, each with a comma, one after another in shared blocks, so that neighbours are sent without being copied.
 * `Buffer.from` would count the bytes of each before it writes them, which costs a list of 500 about 6 % of the API's CPU.
 */
export class ItemBytes {
  private block = Buffer.alloc(0);

  add(item: string): Buffer {
    if (this.block.length <= item.length * BYTES_OF_UNIT) this.requireRoom(Buffer.byteLength(item) + 1);
    const end = this.block.write(item) + 1;
    this.block[end - 1] = COMMA;
    const bytes = this.block.subarray(0, end);
    this.block = this.block.subarray(end);
    return bytes;
  }

  private requireRoom(bytes: number): void {
    if (this.block.length < bytes) this.block = Buffer.allocUnsafe(Math.max(BLOCK, bytes));
  }
}
