import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SHAPE_SOURCES, shapeSourcesOf } from './shape-sources';

// The last step of the build: stores the hashes of the sources in dist.
const dist = resolve(__dirname, '../../../..');
writeFileSync(
  resolve(dist, SHAPE_SOURCES),
  `${JSON.stringify(shapeSourcesOf(resolve(dist, '..')), null, 2)}\n`,
);
