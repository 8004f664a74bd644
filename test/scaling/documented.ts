import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The SQL under a heading of docs/scaling.md, so that the documented statements are tested. */
export function documentedSql(heading: string): string {
  const text = readFileSync(resolve(__dirname, '../../docs/scaling.md'), 'utf8');
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`));
  const blocks = [...(section ?? '').matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql]) => sql);
  if (blocks.length === 0) throw new Error(`docs/scaling.md has no SQL under "${heading}"`);
  return blocks.join('\n');
}
