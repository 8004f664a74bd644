import { readFileSync } from 'node:fs';
import { loadSettings } from '#platform/config';
import { QUEUE_CONNECTIONS } from '#platform/queues';
import { ERROR_CODES } from '../../apps/cli/src/errors';

const read = (file: string) => readFileSync(file, 'utf8').replace(/\s+/g, ' ');
const settings = loadSettings({}, { signs: false });

it('docs/operating.md counts the connections of all processes', () => {
  const { API_POOL_SIZE, WORKER_POOL_SIZE } = settings;
  const text = read('docs/operating.md');
  const [api, worker] = [API_POOL_SIZE + 1, WORKER_POOL_SIZE + 4];
  const queues = QUEUE_CONNECTIONS;
  expect(text).toContain(`| api without \`REDIS_URL\` | + ${queues} |`);
  expect(text).toContain(`| worker without \`REDIS_URL\` | + ${queues} |`);
  expect(text).toContain(
    `\`${api + queues} × apis + ${worker + queues} × workers + 10\` without Redis, or \`${api} × apis + ${worker} × workers + 10\` with Redis`,
  );
  expect(read('docker/compose.yaml')).toContain(
    `four processes can use ${2 * (api + queues) + 2 * (worker + queues) + 10}`,
  );
});

it('docs/command-line.md lists the codes of errors', () => {
  const [, listed = ''] = /`error` is (.*?) or `UNEXPECTED`/.exec(read('docs/command-line.md')) ?? [];
  const codes = [...listed.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
  expect([...codes, 'UNEXPECTED']).toEqual(ERROR_CODES);
});

it('docs/limits.md names the allowances', () => {
  const text = read('docs/limits.md');
  const { RATE_IMPORT, RATE_REGISTRATION_STATUS, RATE_TIMING, RATE_EXPORT, RATE_WEBHOOK, RATE_WIDE } =
    settings;
  for (const words of [
    `${RATE_IMPORT} for each import operation`,
    `${RATE_REGISTRATION_STATUS} for the registration check`,
    `${RATE_TIMING} for timing ingest`,
    `${RATE_EXPORT} for each export and digest`,
    `${RATE_WEBHOOK} for each operation that creates`,
    `${RATE_WIDE.toLocaleString('en')} for every other operation`,
  ])
    expect(text).toContain(words);
});
