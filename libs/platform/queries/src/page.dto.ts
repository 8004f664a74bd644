import { Int, Text } from '#platform/validation';
/** The position of a page in its list. Cursors are opaque. */
export class Page {
  /** The number of items on all pages. */
  @Int({ min: 0, example: 1_207 }) totalResults: number;

  /** The cursor of the page's first item; empty on an empty page. */
  @Text({ example: 'Y2ExZDQ5fDIwMjYtMDUtMTR8MDE5OTBmM2U' }) first: string;

  /** The cursor of the page's last item; empty on an empty page. */
  @Text({ example: 'Y2ExZDQ5fDIwMjYtMDYtMDF8MDE5OTBmNDE' }) last: string;

  /** The value of `page[before]` for the previous page; empty if there is none. */
  @Text({ example: '' }) prev: string;

  /** The value of `page[after]` for the next page; empty if there is none. */
  @Text({ example: 'Y2ExZDQ5fDIwMjYtMDYtMDF8MDE5OTBmNDE' }) next: string;
}

/** The position of a page in a list of the marketplace. */
export class MarketplacePage {
  /** The number of events on all pages. */
  @Int({ min: 0, example: 311 }) totalResults: number;

  /** The cursor of the page's first event; empty on an empty page. */
  @Text({ example: 'N2MwYjJlfDIwMjYtMDktMjB8MDE5OTBmM2U' }) first?: string;

  /** The cursor of the page's last event; empty on an empty page. */
  @Text({ example: 'N2MwYjJlfDIwMjYtMDktMjd8MDE5OTBmNDE' }) last?: string;
}
