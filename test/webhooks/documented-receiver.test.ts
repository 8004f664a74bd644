import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { signatureOf } from '#domain/webhooks';

/** Protects receivers that were built from the documentation. */
it('the receiver of docs/webhooks.md accepts signed messages only, and each message once', async () => {
  const path = 'docs/examples/webhook-receiver/receiver.mjs';
  const code = readFileSync(path, 'utf8');
  const indented = code.trimEnd().replace(/^(?=.)/gm, '   ');
  expect(readFileSync('docs/webhooks.md', 'utf8')).toContain(indented);
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(25);

  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0/xFTTo1kO8=';
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  try {
    while (!out.includes('listening')) await once(child.stdout, 'data');
    const url = `http://127.0.0.1:${/listening (\d+)/.exec(out)?.[1]}/`;
    const send = async (request: RequestInit) => (await fetch(url, { method: 'POST', ...request })).status;
    const event = { id: 'one', type: 'partner.created', data: { partnerId: 'x' } };
    const body = JSON.stringify(event);
    const now = Math.floor(Date.now() / 1000);
    const keys = [Buffer.from(secret.slice('whsec_'.length), 'base64')];
    const headers = {
      'webhook-id': event.id,
      'webhook-timestamp': String(now),
      'webhook-signature': signatureOf(keys, event.id, now, body),
    };
    const signed = { headers, body };
    expect([await send(signed), await send(signed)]).toEqual([204, 204]);
    expect(await send({ ...signed, body: signed.body.replace('one', 'two') })).toBe(400);
    expect(await send({ body: signed.body })).toBe(400);
    expect(out.match(/partner\.created/g)).toHaveLength(1);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
