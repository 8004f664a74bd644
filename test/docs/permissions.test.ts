import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PERMISSIONS } from '#platform/access';
import { OPERATIONS } from '../contract/document';

/** The rows of the table in docs/interface.md, from the declarations of the operations. */
const rows = ['identity:read', ...PERMISSIONS].map((permission) => {
  const operations = OPERATIONS.filter(({ access }) => access.permission === permission);
  return `| \`${permission}\` | ${operations.map(({ name }) => `\`${name}\``).join(', ')} |`;
});

it('docs/interface.md names the operations of each permission', () => {
  const text = readFileSync(resolve(__dirname, '../../docs/interface.md'), 'utf8');
  const [, section = ''] = text.split('### Permissions');
  expect(section.split('\n').filter((line) => /^\| `\w+:\w+`/.test(line))).toEqual(rows);
});

it('every operation that a key can call has one of them', () => {
  expect(OPERATIONS.filter(({ access }) => !access.permission).map(({ name }) => name)).toEqual([]);
});
