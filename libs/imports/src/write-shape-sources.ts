import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SHAPE_SOURCES, shapeSourcesOf } from './shape-sources';

// Last step of the build, from within dist: what it was built from.
const dist = resolve(__dirname, '../../..');
writeFileSync(
  resolve(dist, SHAPE_SOURCES),
  `${JSON.stringify(shapeSourcesOf(resolve(dist, '..')), null, 2)}\n`,
);
