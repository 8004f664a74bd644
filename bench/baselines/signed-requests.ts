import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';

/** A bare loop of signed requests by undici: `url count connections body`. */
async function main([url = '', count = '', connections = '', body = '']: string[]): Promise<void> {
  const dispatcher = new Agent({ pipelining: 1 });
  const key = randomBytes(32);
  let left = Number(count);
  const loop = async () => {
    while (left-- > 0) {
      const id = `${left}`;
      const timestamp = Math.floor(Date.now() / 1_000);
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      };
      const answer = await request(url, { dispatcher, method: 'POST', headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: Number(connections) }, loop));
  await dispatcher.close();
}

void main(process.argv.slice(2));
