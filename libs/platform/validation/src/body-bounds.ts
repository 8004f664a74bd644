import type { BodyBounds } from './scan';

/** A small body is read on the event loop; a larger one, in bytes, is checked in the checking thread. */
export const SMALL_ENOUGH = 65_536;

/** Far more than a valid body has, and few enough to read in milliseconds. */
export const ORDINARY_BOUNDS: BodyBounds = {
  values: 25_000,
  depth: 64,
  keys: 1_000,
  names: 5_000,
  text: 200_000,
  digits: 40,
};

/**
 * The largest occurrence has thousands of tickets and reserved entry groups. A text can be a whole file: one of 3 MB in base64 has
 * 4,000,000 characters, of which JSON may write each with six bytes.
 */
export const CATALOGUE_BOUNDS: BodyBounds = {
  ...ORDINARY_BOUNDS,
  values: 8 * ORDINARY_BOUNDS.values,
  text: 6 * 4_000_000,
};

/** A row may have as many values as an ordinary body. */
export const IMPORT_BOUNDS: BodyBounds = {
  ...ORDINARY_BOUNDS,
  // Rows are parsed one at a time.
  names: undefined,
  values: 2_000_000,
  rowValues: ORDINARY_BOUNDS.values,
};
