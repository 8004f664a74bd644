/**
 * Packs the client for Python of this release into `dist/client.whl`, which the api serves: a wheel (PEP 427) of the files in
 * `clients/python/src`, so that pip needs neither a registry nor a tool that builds.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { filesOf, ROOT } from './stamp.mjs';

const PACKAGE = join(ROOT, 'clients', 'python');
const SOURCES = join(PACKAGE, 'src');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const INFO = `startline-${version}.dist-info`;

const METADATA = `Metadata-Version: 2.1
Name: startline
Version: ${version}
Summary: The client of the Startline event registration API
Requires-Python: >=3.11
Classifier: Private :: Do Not Upload
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

${readFileSync(join(PACKAGE, 'README.md'), 'utf8')}`;
const WHEEL = 'Wheel-Version: 1.0\nGenerator: startline\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

const sources = filesOf(SOURCES)
  .filter((file) => /(\.py|py\.typed)$/.test(file))
  .map((file) => [relative(SOURCES, file).replaceAll('\\', '/'), readFileSync(file)])
  .sort(([left], [right]) => (left < right ? -1 : 1));
const files = Object.fromEntries([
  ...sources,
  [`${INFO}/METADATA`, Buffer.from(METADATA)],
  [`${INFO}/WHEEL`, Buffer.from(WHEEL)],
]);
const record = Object.entries(files).map(
  ([path, data]) => `${path},sha256=${createHash('sha256').update(data).digest('base64url')},${data.length}`,
);
files[`${INFO}/RECORD`] = Buffer.from([...record, `${INFO}/RECORD,,`, ''].join('\n'));
// With the same time always, so that the same files give the same wheel.
writeFileSync(join(ROOT, 'dist', 'client.whl'), zipSync(files, { mtime: '2026-01-01T00:00:00' }));
