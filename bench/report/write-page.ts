/** Writes bench/release.json into docs/performance.md; with `--check`, exits with 1 if they differ. */
import { showsResults, writePage } from './page';
import { readRelease } from './release';

if (!process.argv.includes('--check')) writePage(readRelease());
else if (!showsResults(readRelease())) {
  process.stderr.write('docs/performance.md does not show bench/release.json. Run: npm run performance\n');
  process.exitCode = 1;
}
