import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { freePort, partner } from '#libs/testing';
import { eventually, sharedApi, type TestApi } from '../harness';
import { Receiver } from '../webhooks/receiver';

/** `startline-client listen` (docs/webhooks.md#on-your-machine): webhooks for a program on the developer's machine. */

const BIN = resolve(__dirname, '../../dist/libs/client/src/bin.js');

let api: TestApi;
let receiver: Receiver;
const children: ChildProcess[] = [];
beforeAll(async () => {
  api = await sharedApi();
  receiver = await Receiver.start();
  // Events exist from the first request for them on.
  await api.get('/v0/change-events');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
});
afterAll(async () => {
  await receiver?.stop();
  await api?.close();
});

/** Starts the command; resolves to what it has said when it listens. */
async function listen(...words: string[]): Promise<() => string> {
  const child = spawn(process.execPath, [BIN, 'listen', '--url', api.url, '--key', api.token, ...words]);
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(said);
    return said.includes('Ctrl+C');
  });
  return () => said;
}

const create = async (name: string) => {
  const { status, body } = await api.send('POST', '/v0/partners', {
    name,
    contacts: [{ firstName: 'Ada', lastName: 'L', email: 'ada@example.com' }],
  });
  expect(status).toBeLessThan(300);
  return body.id;
};
const eventsAt = async (path: string, count: number) =>
  (await receiver.got(path, count)).map(({ body }) => JSON.parse(body));

it('delivers events that happen, signed with the secret that it prints, like a webhook', async () => {
  await create('before');
  const said = await listen('--forward-to', `${receiver.url}/new`);
  const id = await create('after');
  const [delivery] = await receiver.got('new');
  const secret = /whsec_\S+/.exec(said())?.[0] ?? '';
  const event = new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {});
  expect(event).toMatchObject({ type: 'partner.created', data: { partnerId: id } });
  const { body } = await api.get('/v0/change-events?sort%5Btimestamp%5D=-1&page%5Bsize%5D=1');
  expect(event).toEqual(body.data[0]);
  expect(receiver.of('new')).toHaveLength(1);
});

it('delivers the last events first, and only of the given types', async () => {
  const ids = [await create('one'), await create('two')];
  await api.send('PATCH', `/v0/partners/${ids[0]}`, { name: 'changed' });
  await eventually(async () => {
    const { body } = await api.get('/v0/change-events?type=partner.updated');
    return body.data.length > 0;
  });
  await listen('--forward-to', `${receiver.url}/last`, '--last', '2', '--type', 'partner.created');
  const events = await eventsAt('last', 2);
  expect(events.map(({ data }) => data.partnerId)).toEqual(ids);
});

it('waits for a program that is being restarted', async () => {
  const port = await freePort();
  const said = await listen('--forward-to', `http://127.0.0.1:${port}/hook`);
  await partner(api.dataSource, { organizationId: api.organizationId });
  await eventually(async () => said().includes('ECONNREFUSED'));
});

it.each([
  ['--forward-to must be an address', ['--forward-to', 'localhost:4000']],
  ['--secret must be a secret', ['--forward-to', 'http://localhost:4000', '--secret', 'secret']],
  ['--last must be a number from 0 to 500', ['--forward-to', 'http://localhost:4000', '--last', 'x']],
])('refuses a command: %s', async (message, words) => {
  await expect(listen(...words)).rejects.toThrow(message);
});
