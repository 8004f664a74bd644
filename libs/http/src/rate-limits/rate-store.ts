/** How a window stands, over all processes. */
export interface Standing {
  /** Uses so far, the ones just added among them. */
  used: number;
  endsInMs: number;
}

/** What all processes share: the uses of each key's window for each operation. */
export interface RateStore {
  /**
   * Adds uses, in one step that no other process can come between. A window opens with its first use and
   * lasts `windowMs` by the store's own clock, so that no process's clock matters.
   */
  add(keyId: string, operation: string, uses: number, windowMs: number): Promise<Standing>;
}
