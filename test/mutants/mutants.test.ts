import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './mutants';

it.each(MUTANTS)('can be planted in one place: $defect', ({ file, from }) => {
  const source = readFileSync(join(__dirname, '../..', file), 'utf8');
  expect(source.split(from)).toHaveLength(2);
});
