/** Where a page lies in its list. Cursors are opaque. */
export class Page {
  /**
   * How many items match, on all pages together.
   * @integer
   * @minimum 0
   * @example 1207
   */
  totalResults: number;

  /**
   * The cursor of the page's first item; empty on an empty page.
   * @example Y2ExZDQ5fDIwMjYtMDUtMTR8MDE5OTBmM2U
   */
  first: string;

  /**
   * The cursor of the page's last item; empty on an empty page.
   * @example Y2ExZDQ5fDIwMjYtMDYtMDF8MDE5OTBmNDE
   */
  last: string;

  /**
   * What to send as `page[before]` for the page before; empty where there is none.
   * @example ""
   */
  prev: string;

  /**
   * What to send as `page[after]` for the page after; empty where there is none.
   * @example Y2ExZDQ5fDIwMjYtMDYtMDF8MDE5OTBmNDE
   */
  next: string;
}

/** Where a page lies in a list of the marketplace. */
export class MarketplacePage {
  /**
   * How many events match, on all pages together.
   * @integer
   * @minimum 0
   * @example 311
   */
  totalResults: number;

  /**
   * The cursor of the page's first event; empty on an empty page.
   * @example N2MwYjJlfDIwMjYtMDktMjB8MDE5OTBmM2U
   */
  first?: string;

  /**
   * The cursor of the page's last event; empty on an empty page.
   * @example N2MwYjJlfDIwMjYtMDktMjd8MDE5OTBmNDE
   */
  last?: string;
}
