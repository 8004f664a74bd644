import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationReference } from './configuration-reference';
import { envExample } from './env-example';

/** Writes `.env.example` and `docs/configuration.md` from the declarations; with `--check`, only reports differences. */
const FILES = {
  '.env.example': envExample(),
  'docs/configuration.md': configurationReference(),
};

for (const [name, text] of Object.entries(FILES)) {
  const file = join(process.cwd(), name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is out of date: run \`npm run settings\`\n`);
    process.exitCode = 1;
  }
}
