import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partner } from '#libs/testing';
import { type CommandLine, commandLine } from './startline';

let cli: CommandLine;
let home: string;
beforeAll(async () => {
  cli = await commandLine();
  home = mkdtempSync(join(tmpdir(), 'startline-file-'));
});
afterAll(async () => {
  rmSync(home, { recursive: true });
  await cli.close();
});

it('writes what is known of a person as JSON and as a document, and records it without the address', async () => {
  const words = ['--slug', 'city-runs', '--name', 'City Runs'];
  const { answer: made } = await cli.run('organization', 'create', ...words);
  const contacts = [{ firstName: '<b>Ada</b>', lastName: 'Lovelace', email: 'Ada@example.com' }];
  await partner(cli.dataSource, { organizationId: made.id, contacts });
  const write = (output: string) =>
    cli.run(
      ...['person', 'export', '--organization', 'city-runs', '--email', 'ada@example.com'],
      ...['--output', join(home, output)],
    );
  expect((await write('ada.json')).answer.rows).toEqual({ partners: 1 });
  const { tables } = JSON.parse(readFileSync(join(home, 'ada.json'), 'utf8'));
  expect(tables).toEqual([{ table: 'partners', rows: [expect.objectContaining({ contacts })] }]);
  writeFileSync(join(home, 'ada.html'), '', { mode: 0o644 });
  await write('ada.html');
  expect(statSync(join(home, 'ada.html')).mode & 0o777).toBe(0o600);
  expect(readdirSync(home).sort()).toEqual(['ada.html', 'ada.json']);
  const document = readFileSync(join(home, 'ada.html'), 'utf8');
  expect(document).toContain('Lovelace');
  expect(document).not.toMatch(/<b>|<script|src=|href=/);
  const { answer: records } = await cli.run(
    'audit',
    'list',
    '--organization',
    'city-runs',
    '--action',
    'person',
  );
  expect(records).toEqual([
    expect.objectContaining({ action: 'person.export', details: {} }),
    expect.objectContaining({ action: 'person.export', details: {} }),
  ]);
  expect(JSON.stringify(records)).not.toContain('ada@example.com');
});
