import { organization } from '#libs/testing';
import { WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';
import { type CommandLine, commandLine } from './startline';

let line: CommandLine;
let slug: string;
beforeAll(async () => {
  line = await commandLine();
  ({ slug } = await organization(line.dataSource));
});
afterAll(() => line.close());

const run = (...words: string[]) => line.runWith({ WEBHOOK_SECRETS_KEY }, ...words);
const create = (...words: string[]) =>
  run('webhook-endpoint', 'create', '--organization', slug, '--url', 'https://example.com/', ...words);

it('manages endpoints like the API', async () => {
  const { answer: made } = await create('--type', 'partner.created', '--type', 'key.revoked');
  expect(made).toMatchObject({ types: ['partner.created', 'key.revoked'], enabled: true });
  expect(made.secret).toMatch(/^whsec_/);
  const { answer: rotated } = await run('webhook-endpoint', 'rotate-secret', made.id);
  expect(rotated.secret).not.toBe(made.secret);
  expect((await run('webhook-endpoint', 'ping', made.id)).answer.deliveryId).toEqual(expect.any(String));
  const { answer: deliveries } = await run('webhook-delivery', 'list', '--endpoint', made.id);
  expect(deliveries).toMatchObject([{ type: 'webhook_endpoint.ping', state: 'PENDING', attempts: [] }]);
  await run('webhook-endpoint', 'update', made.id, '--disable', '--description', 'Ours');
  const { answer: listed, stdout } = await run('webhook-endpoint', 'list', '--organization', slug);
  expect(listed).toMatchObject([{ id: made.id, disabledReason: 'MANUAL', description: 'Ours' }]);
  expect(stdout).not.toContain('whsec_');
  expect((await run('webhook-endpoint', 'ping', made.id)).answer.error).toBe('REFUSED');
  await run('webhook-endpoint', 'delete', made.id);
  expect((await run('webhook-endpoint', 'list', '--organization', slug)).answer).toEqual([]);
  const { answer: records } = await run(
    'audit',
    'list',
    '--organization',
    slug,
    '--action',
    'webhook_endpoint',
  );
  expect(records.map(({ action }: { action: string }) => action.split('.')[1])).toEqual([
    'delete',
    'update',
    'rotate_secret',
    'create',
  ]);
  expect(records[0]).toMatchObject({ actorType: 'COMMAND_LINE', objectId: made.id });
});

it('sends failed deliveries again', async () => {
  const { answer: made } = await create('--type', 'partner.created');
  const { answer: ping } = await run('webhook-endpoint', 'ping', made.id);
  const fail = () =>
    line.dataSource.query(`UPDATE webhook_deliveries SET state = 'FAILED', next_attempt_at = NULL`);
  await fail();
  expect((await run('webhook-delivery', 'retry', ping.deliveryId)).answer).toEqual({ id: ping.deliveryId });
  await fail();
  const again = await run(
    'webhook-delivery',
    'retry-failed',
    '--organization',
    slug,
    '--since',
    '2026-01-01T00:00:00Z',
  );
  expect(again.answer.deliveries).toBeGreaterThan(0);
});

it('encrypts secrets again after their key changed', async () => {
  await create('--type', 'partner.created');
  const next = `next:${'0123456789abcdef'.split('').reverse().join('')}9b3f5d7a1c2e4860f7a9c1e3b5d70284681ace0246f1b3d5`;
  const both = { WEBHOOK_SECRETS_KEY: `${next},${WEBHOOK_SECRETS_KEY}` };
  const { answer } = await line.runWith(both, 'webhook-endpoint', 'reencrypt');
  expect(answer.endpoints).toBeGreaterThan(0);
  expect((await line.runWith(both, 'webhook-endpoint', 'reencrypt')).answer.endpoints).toBe(0);
  const unreadable = (await create('--type', 'partner.created')).answer.id;
  const readable = (await create('--type', 'partner.created')).answer.id;
  const sealedBy = (id: string) =>
    line.dataSource
      .query('SELECT secret FROM webhook_endpoints WHERE id = $1', [id])
      .then(([row]) => row.secret);
  await line.dataSource.query(`UPDATE webhook_endpoints SET secret = 'gone.AAAA' WHERE id = $1`, [
    unreadable,
  ]);
  const { code, answer: report } = await line.runWith(both, 'webhook-endpoint', 'reencrypt');
  expect([code, report]).toMatchObject([1, { error: 'REFUSED', endpoints: 1, unreadable: [unreadable] }]);
  expect(await sealedBy(readable)).toMatch(/^next\./);
  expect(await sealedBy(unreadable)).toBe('gone.AAAA');
});

it('rejects invalid input', async () => {
  expect((await create('--type', 'partner.*')).answer.error).toBe('INVALID_COMMAND');
  const { answer } = await run(
    ...[
      'webhook-endpoint',
      'create',
      '--organization',
      slug,
      '--url',
      'http://example.com/',
      '--type',
      'key.revoked',
    ],
  );
  expect(answer).toEqual({ error: 'REFUSED', message: 'url must begin with https://' });
  const without = await line.run(
    'webhook-endpoint',
    'create',
    '--organization',
    slug,
    '--url',
    'https://example.com/',
    '--type',
    'key.revoked',
  );
  expect(without.answer.error).toBe('NO_WEBHOOK_SECRETS_KEY');
});
