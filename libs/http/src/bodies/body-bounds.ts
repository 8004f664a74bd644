import type { BodyBounds } from '#libs/bodies';
import type { Settings } from '#libs/config';

const boundsWith = (values: number, settings: Settings): BodyBounds => ({
  values,
  depth: settings.BODY_DEPTH_LIMIT,
  keys: settings.BODY_KEYS_LIMIT,
  text: settings.BODY_TEXT_LIMIT,
  digits: settings.BODY_DIGITS_LIMIT,
});

export const ordinaryBounds = (settings: Settings): BodyBounds =>
  boundsWith(settings.BODY_VALUES_LIMIT, settings);

export const importBounds = (settings: Settings): BodyBounds =>
  boundsWith(settings.IMPORT_VALUES_LIMIT, settings);
