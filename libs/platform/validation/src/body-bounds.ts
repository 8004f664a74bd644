import type { BodyBounds } from './scan';

/** The settings that bound bodies. */
interface BoundSettings {
  BODY_DEPTH_LIMIT: number;
  BODY_KEYS_LIMIT: number;
  BODY_VALUES_LIMIT: number;
  IMPORT_VALUES_LIMIT: number;
  BODY_TEXT_LIMIT: number;
  BODY_DIGITS_LIMIT: number;
}

const boundsWith = (values: number, settings: BoundSettings): BodyBounds => ({
  values,
  depth: settings.BODY_DEPTH_LIMIT,
  keys: settings.BODY_KEYS_LIMIT,
  text: settings.BODY_TEXT_LIMIT,
  digits: settings.BODY_DIGITS_LIMIT,
});

export const ordinaryBounds = (settings: BoundSettings): BodyBounds =>
  boundsWith(settings.BODY_VALUES_LIMIT, settings);

/** A file of 3 MB in base64 has 4,000,000 characters, of which JSON may write each with six bytes. */
const CATALOGUE_FILE = 6 * 4_000_000;

/** The largest occurrence has thousands of tickets and reserved entry groups. A text can be a whole file. */
export const catalogueBounds = (settings: BoundSettings): BodyBounds => ({
  ...boundsWith(8 * settings.BODY_VALUES_LIMIT, settings),
  text: Math.max(settings.BODY_TEXT_LIMIT, CATALOGUE_FILE),
});

export const importBounds = (settings: BoundSettings): BodyBounds => ({
  ...boundsWith(settings.IMPORT_VALUES_LIMIT, settings),
  rowValues: settings.BODY_VALUES_LIMIT,
});
