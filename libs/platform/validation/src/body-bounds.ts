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

/** The largest occurrence has thousands of tickets and reserved entry groups. */
export const catalogueBounds = (settings: BoundSettings): BodyBounds =>
  boundsWith(8 * settings.BODY_VALUES_LIMIT, settings);

export const importBounds = (settings: BoundSettings): BodyBounds => ({
  ...boundsWith(settings.IMPORT_VALUES_LIMIT, settings),
  rowValues: settings.BODY_VALUES_LIMIT,
});
