import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCES = 'openapi.sources.json';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'startline-shapes-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The check in a checkout that only has the classes of credits. */
function checkIn(edit: (source: string) => string): { status: number | null; stderr: string } {
  for (const file of ['package.json', 'libs/domain/imports/src/shape-sources.ts', 'libs/domain/credits'])
    cpSync(file, join(root, file), { recursive: true });
  const written: Record<string, string> = JSON.parse(readFileSync(SOURCES, 'utf8'));
  const credits = Object.entries(written).filter(([file]) => file.startsWith('libs/domain/credits/'));
  expect(credits.length).toBeGreaterThan(1);
  writeFileSync(join(root, SOURCES), JSON.stringify(Object.fromEntries(credits)));
  const row = join(root, 'libs/domain/credits/src/credit-row.dto.ts');
  writeFileSync(row, edit(readFileSync(row, 'utf8')));
  const script = `require(${JSON.stringify(join(root, 'libs/domain/imports/src/shape-sources.ts'))}).requireFreshShapes()`;
  const { status, stderr } = spawnSync(process.execPath, ['-r', '@swc-node/register', '-e', script], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

it('the API starts with the row classes that openapi.json was written from', () => {
  expect(checkIn((source) => source)).toMatchObject({ status: 0 });
});

it('the API refuses to start if a row class has changed since, and names its file', () => {
  const { status, stderr } = checkIn((source) => source.replace('max: 1_000', 'max: 10'));
  expect(status).not.toBe(0);
  expect(stderr).toMatch(
    /openapi\.json is older than libs\/domain\/credits\/src\/credit-row\.dto\.ts\. Run `npm run openapi`/,
  );
});
