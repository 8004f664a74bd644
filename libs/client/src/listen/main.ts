import { parseArgs } from 'node:util';
import { StartlineClient } from '../client';
import type { ChangeEvent } from '../openapi';
import { SendRefused } from '../send/refused';
import { pause } from '../sending';
import { requireTarget, sayer, secondsOf, TARGET_OPTIONS, untilStopped } from '../target';
import { forward, keyOf, newSecret } from './forward';

const HELP = `Usage: npx --package=<address of the API>/client.tgz startline-client listen --forward-to <address> [options]

Delivers the change events of your organization to a program on this machine, signed like webhooks, until it is stopped.
It needs no public address and no webhook endpoint.

  --forward-to <address>  where your program receives webhooks, such as http://localhost:4000/hook
  --url <url>             the address of the API (or STARTLINE_URL)
  --key <key>             the API key (or STARTLINE_API_KEY, which other users of the machine can't read)
  --type <types>          only these types of events, such as participant.created,participant.updated
  --last <n>              delivers the last n events first, 0 to 500 (default 0)
  --secret <secret>       signs with this secret, whsec_… (or WEBHOOK_SECRET). Default: a new one
  --json                  prints each delivery as a line of JSON
  --help                  prints this text
`;

/** `startline-client listen`. Returns the exit code. */
export async function listenMain(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      ...TARGET_OPTIONS,
      'forward-to': { type: 'string', default: '' },
      type: { type: 'string' },
      last: { type: 'string', default: '0' },
      secret: { type: 'string', default: process.env.WEBHOOK_SECRET },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { type } = values;
  const secret = values.secret || newSecret();
  const address = URL.canParse(values['forward-to']) ? new URL(values['forward-to']) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new SendRefused(
      'INVALID_COMMAND',
      '--forward-to must be an address, such as http://localhost:4000/hook.',
    );
  }
  const key = keyOf(secret);
  if (!key) throw new SendRefused('INVALID_COMMAND', '--secret must be a secret of a webhook, whsec_…');
  requireTarget(values);
  const last = Math.floor(secondsOf('--last', values.last, 0, 500));
  const say = sayer(values.json);
  const signal = untilStopped();
  const client = new StartlineClient({ baseUrl: values.url, token: values.key });
  const deliver = async (event: ChangeEvent) => {
    for (;;) {
      const result = await forward(address, event, key, signal);
      say(`${event.timestamp}  ${event.type}  ${event.id}  ${result}`, { event, result });
      // A program that is being restarted gets the event afterwards.
      if (result !== 'ECONNREFUSED') return;
      await pause(1_000, signal);
    }
  };
  try {
    const { data: newest } = await client.get('/v0/change-events', {
      params: { query: { type, 'sort[timestamp]': '-1', 'page[size]': Math.max(last, 1) } },
      signal,
    });
    const shown = `${address.origin}${address.pathname}`;
    const generated = values.secret ? {} : { secret };
    const signing = values.secret ? 'the given secret' : secret;
    say(`Signing with ${signing}\nDelivering to ${shown}. To stop, press Ctrl+C.`, {
      ...generated,
      address: shown,
    });
    for (const event of newest.slice(0, last).reverse()) await deliver(event);
    const since = { 'timestamp[after]': newest[0]?.timestamp };
    const events = client.changeEvents({
      params: { query: { type, ...since } },
      everyMs: 1_000,
      signal,
      onRetry: ({ error, waitMs }) =>
        say(`${error.message} Next attempt in ${Math.ceil(waitMs / 1_000)} s.`, {
          waiting: error.message,
          waitMs,
        }),
    });
    for await (const page of events) for (const event of page.events) await deliver(event);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return 0;
}
