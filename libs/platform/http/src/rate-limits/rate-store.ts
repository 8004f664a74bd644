/** The state of a window, over all processes. */
export interface Standing {
  /** The uses so far, including the added ones. */
  used: number;
  endsInMs: number;
}

/** What is counted: the uses of an operation by a key, a member of staff, or an address that signs in. */
export interface RateKey {
  organizationId: string;
  keyId: string;
  operation: string;
}

/** The shared store of all processes: the uses of each window, by key and operation. */
export interface RateStore {
  /**
   * Adds uses atomically. A window starts with its first use and lasts `windowMs` by the clock of the store, so that
   * clocks of processes do not matter.
   */
  add(key: RateKey, uses: number, windowMs: number): Promise<Standing>;
}
