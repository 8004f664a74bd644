import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set(); // In production: a unique key in a table.

createServer(async (request, response) => {
  const body = await text(request);
  let event;
  try {
    event = webhook.verify(body, request.headers); // The raw bytes, before anything parses them.
  } catch {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(204).end(); // Respond at once; do longer work afterwards.
  if (seen.has(event.id)) return;
  seen.add(event.id);
  process.stdout.write(`${event.type} ${JSON.stringify(event.data)}\n`); // Fetch the object and store it.
}).listen(process.env.PORT ?? 4000, '127.0.0.1', function () {
  process.stdout.write(`listening ${this.address().port}\n`);
});
