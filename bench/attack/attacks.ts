import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { HOSTILE_SHAPES, HOSTILE_TEXTS, placesIn, withJsonAt } from '#libs/testing';
import type { Random } from '../../test/chaos/random';
import { BODIES } from '../../test/contract/bodies';
import {
  ALL_OPERATIONS,
  type DocumentedOperation,
  pathOf as documentedPath,
  subjectOf,
} from '../../test/contract/document';
import { bookingsBody } from '../fixtures/imports';
import { someMessages } from '../fixtures/race-day';

import type { Sender, Sent } from './sender';
import type { Target } from './target';

/** One attack of a family: what it sends, and how, until the signal. */
export interface Attack {
  what: string;
  run(sender: Sender, signal: AbortSignal): Promise<void>;
}

/** Makes attacks of one kind, each from the next random numbers. */
export type Family = (target: Target, random: Random) => Attack;

const CONNECTIONS = 8;
const PAGE_CONNECTIONS = 16;
const UNREAD_CONNECTIONS = 64;
const JSON_TYPE = { 'content-type': 'application/json' };
/** Around the limits below which a body is checked in the thread of the requests, and of each kind of body. */
const [INLINE, ORDINARY, IMPORT] = [64_000, 1_040_000, 20_900_000];
const HEADER = 14_000;
const BATCH = 500;
const LARGEST = '500';

export const one = <T>(items: readonly T[], random: Random): T =>
  items[random.between(0, items.length - 1)] as T;

/** Keeps this many requests under way. */
async function flood(sender: Sender, signal: AbortSignal, next: () => Sent, connections = CONNECTIONS) {
  const client = async () => {
    while (!signal.aborted) await sender.send(next());
  };
  await Promise.race([
    Promise.all(Array.from({ length: connections }, client)),
    sleep(2 ** 30, undefined, { signal }).catch(() => {}),
  ]);
}

const isImport = ({ access }: DocumentedOperation) => access.rate === 'import';

/** The headers with which the hostile organization calls an operation. */
function headersFor({ callers }: Target, { access }: DocumentedOperation): Record<string, string> {
  return callers[(access.keys[0] as keyof Target['callers'] | undefined) ?? 'STAFF'];
}

const withBody = ALL_OPERATIONS.filter(
  ({ body, name }) => body && !/session|password|member|erase|redact/i.test(name),
);
const reads = ALL_OPERATIONS.filter(({ method, path }) => method === 'GET' && !/session|stream/i.test(path));

/** Operations whose responses can be large. */
const large = reads.filter(({ isList, name }) => isList || /export|getStaffParticipant/.test(name));

const validBody = ({ whole }: Target, { name, example }: DocumentedOperation): unknown =>
  BODIES[name]?.(whole) ?? example ?? {};

/** The path with ids of the hostile organization, for the paths of the console, too. */
function pathOf(
  { whole: { ids } }: Target,
  of: DocumentedOperation,
  query: Record<string, string> = {},
): string {
  const given = of.pathParameters.map((name) => {
    const subject = subjectOf(of, name).replace(/^(console|marketplace)\/v1\//, '');
    return [name, encodeURIComponent(ids[subject] ?? Object.values(ids)[0] ?? '')];
  });
  return documentedPath(of, ids, Object.fromEntries(given), query);
}

/** A place in a valid body, and a length that the operation accepts or nearly accepts. */
export function placed(target: Target, random: Random) {
  const of = one(withBody, random);
  const example = validBody(target, of);
  const bytes = one(isImport(of) ? [INLINE, ORDINARY, IMPORT] : [INLINE, ORDINARY], random);
  const place = one(placesIn(example), random);
  const request = (body: string): Sent => ({
    method: of.method as 'POST',
    path: pathOf(target, of),
    headers: { ...headersFor(target, of), ...JSON_TYPE },
    body,
  });
  return { of, example, bytes, place, request };
}

/** Path, query and headers of any read, with values of the organization. */
function read(target: Target, random: Random, size = LARGEST): { of: DocumentedOperation; request: Sent } {
  const of = one(size === LARGEST ? large : reads, random);
  const query: Record<string, string> = {};
  for (const { name, schema } of of.query) {
    if (name === 'page[size]' || name === 'pageSize')
      query[name] = String(Math.min(Number(size), schema.maximum ?? Number(size)));
    if (name === 'extendMetadata') query[name] = 'true';
  }
  return { of, request: { path: pathOf(target, of, query), headers: headersFor(target, of) } };
}

export const FAMILIES: Record<string, Family> = {
  'bodies of hostile shapes': (target, random) => {
    const { of, example, bytes, place, request } = placed(target, random);
    const shape = one(Object.keys(HOSTILE_SHAPES), random);
    const body = withJsonAt(example, place, HOSTILE_SHAPES[shape]?.(bytes) as string);
    return {
      what: `${of.name}, ${bytes} bytes of ${shape} at ${place.join('.')}`,
      run: (sender, signal) => flood(sender, signal, () => request(body)),
    };
  },

  'bodies of hostile texts': (target, random) => {
    const { of, example, bytes, place, request } = placed(target, random);
    const [name, text] = one(Object.entries(HOSTILE_TEXTS), random);
    const body = withJsonAt(example, place, JSON.stringify(text(Math.floor(bytes * 0.8))));
    return {
      what: `${of.name}, ${name} at ${place.join('.')}`,
      run: (sender, signal) => flood(sender, signal, () => request(body)),
    };
  },

  'compressed bodies': (target, random) => {
    const { of, request } = placed(target, random);
    const compressed = gzipSync(Buffer.alloc(100_000_000, '[1,'));
    const { headers, ...rest } = request('');
    const asked = { ...rest, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
    return {
      what: `${of.name}, 100 MB in ${compressed.length} bytes`,
      run: (sender, signal) => flood(sender, signal, () => asked),
    };
  },

  'hostile query parameters': (target, random) => {
    const of = one(
      reads.filter(({ query }) => query.length > 0),
      random,
    );
    const parameter = one(of.query, random);
    const [name, text] = one(Object.entries(HOSTILE_TEXTS), random);
    const value = text(one([90, 900, 4_000], random)).toWellFormed();
    const path = pathOf(target, of, { [parameter.name]: value }).slice(0, HEADER);
    return {
      what: `${of.name}, ${name} as ${parameter.name}`,
      run: (sender, signal) => flood(sender, signal, () => ({ path, headers: headersFor(target, of) })),
    };
  },

  'hostile headers': (target, random) => {
    const { of, request } = read(target, random, '5');
    const header = one(
      [
        'accept-encoding',
        'if-none-match',
        'authorization',
        'cookie',
        'traceparent',
        'x-request-id',
        'accept-language',
        'origin',
        'range',
      ],
      random,
    );
    const piece = one(['gzip;q=0.5,', 'W/"a",', 'a.b.', ' ', 'a=b;', ';'], random);
    const value = piece.repeat(HEADER / piece.length).trim() || 'x';
    return {
      what: `${of.name}, ${header} of ${value.length} times ${piece}`,
      run: (sender, signal) =>
        flood(sender, signal, () => ({ ...request, headers: { ...request.headers, [header]: value } })),
    };
  },

  'pages of the largest size': (target, random) => {
    const { of, request } = read(target, random);
    return {
      what: `${of.name} over ${PAGE_CONNECTIONS} connections`,
      run: (sender, signal) => flood(sender, signal, () => request, PAGE_CONNECTIONS),
    };
  },

  'responses that are never read': (target, random) => {
    const { of, request } = read(target, random);
    const encoding = one(['identity', 'gzip'], random);
    return {
      what: `${of.name} (${encoding})`,
      run: async (sender, signal) => {
        while (!signal.aborted) {
          if (sender.waiting < UNREAD_CONNECTIONS)
            sender.ignore({ ...request, headers: { ...request.headers, 'accept-encoding': encoding } });
          await sleep(5, undefined, { signal }).catch(() => {});
        }
      },
    };
  },

  'bodies that stop short': (target, random) => {
    const { of, request } = placed(target, random);
    const length = one([2, INLINE, 900_000], random);
    const body = 'x'.repeat(1_000_000);
    return {
      what: `${of.name}, ${length} of 1,000,000 bytes`,
      run: async (sender, signal) => {
        while (!signal.aborted) {
          if (sender.waiting < UNREAD_CONNECTIONS) sender.stopShort(request(body), length);
          await sleep(5, undefined, { signal }).catch(() => {});
        }
      },
    };
  },

  'requests without a key': (_target, random) => {
    const path = one(
      [
        '/metrics',
        '/openapi.json',
        '/docs',
        '/docs/search.json',
        '/console/',
        '/health/ready',
        '/health/live',
        '/changelog',
        '/client.tgz',
        '/v0/participants',
      ],
      random,
    );
    const encoding = one(['gzip', 'br', 'identity'], random);
    return {
      what: `${path} (${encoding})`,
      run: (sender, signal) =>
        flood(sender, signal, () => ({ path, headers: { 'accept-encoding': encoding } }), PAGE_CONNECTIONS),
    };
  },

  'sign-ins': (_target, random) => {
    const [name, text] = one(Object.entries(HOSTILE_TEXTS), random);
    const body = JSON.stringify({
      organization: 'hostile',
      email: 'staff@example.com',
      password: text(one([20, 200, 50_000], random)),
    });
    return {
      what: name,
      run: (sender, signal) =>
        flood(sender, signal, () => ({
          method: 'POST',
          path: '/console/v1/session',
          headers: { ...JSON_TYPE, 'sec-fetch-site': 'same-origin' },
          body,
        })),
    };
  },

  'imports of valid rows': ({ importing }, random) => {
    const [rows, bytes] = one<[number, number]>(
      [
        [10_000, 0],
        [1_000, 8_000_000],
        [2_000, 19_000_000],
      ],
      random,
    );
    const run = random.between(0, 1e9);
    let sent = 0;
    const body = bookingsBody(importing, rows, bytes);
    return {
      what: `${rows} bookings of ${Math.round(body.length / rows)} bytes`,
      run: (sender, signal) =>
        flood(
          sender,
          signal,
          () => ({
            method: 'POST',
            path: '/v0/bookings/import',
            headers: { ...importing.headers, ...JSON_TYPE },
            body: body.replaceAll('"order-', `"order-${run}-${sent++}-`),
          }),
          2,
        ),
    };
  },

  'timing messages': ({ timing }, random) => {
    const same = random.between(0, 1) === 1;
    const participants = same ? { ...timing, participantIds: timing.participantIds.slice(0, 2) } : timing;
    let sent = 0;
    return {
      what: same ? 'about two participants' : `about ${timing.participantIds.length} participants`,
      run: (sender, signal) =>
        flood(sender, signal, () => ({
          method: 'POST',
          path: '/timing-inbound/v1',
          headers: { ...timing.timing.headers, ...JSON_TYPE },
          body: JSON.stringify(someMessages(participants, BATCH, BATCH * sent++)),
        })),
    };
  },
};
