import { FEATURE_SURFACES, type Surface } from '#platform/access';
import { IMPORT_DEFINITIONS } from './definitions';

/** All surfaces: features and imports. */
export const SURFACES: readonly Surface[] = [
  ...FEATURE_SURFACES,
  ...IMPORT_DEFINITIONS.map(({ surface }) => surface),
];
