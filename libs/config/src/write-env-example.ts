import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample } from './env-example';

/** Writes `.env.example` from the declarations of the settings; with `--check` only says whether it would change. */
const FILE = join(process.cwd(), '.env.example');

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, envExample());
} else if (readFileSync(FILE, 'utf8') !== envExample()) {
  process.stderr.write('.env.example is out of date: run `npm run settings`\n');
  process.exitCode = 1;
}
