import { FEATURE_SURFACES, type Surface } from '#libs/access';
import { IMPORT_DEFINITIONS } from './definitions';

/** All that an organization may be enabled for: features, and every import. */
export const SURFACES: readonly Surface[] = [
  ...FEATURE_SURFACES,
  ...IMPORT_DEFINITIONS.map(({ surface }) => surface),
];
