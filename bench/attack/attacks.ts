import { gzipSync } from 'node:zlib';
import { HOSTILE_SHAPES, HOSTILE_TEXTS, placesIn, withJsonAt } from '#libs/testing';
import { newId } from '#platform/database';
import type { Random } from '../../test/chaos/random';
import { type DocumentedOperation, operation } from '../../test/contract/document';
import { bookingsBody } from '../fixtures/imports';
import { someMessages } from '../fixtures/race-day';
import { grown } from './grown';
import { RECEIVERS } from './hostile-receiver';
import {
  BOMB,
  flood,
  headersFor,
  IMPORT,
  INLINE,
  isImport,
  JSON_TYPE,
  keep,
  ORDINARY,
  one,
  pathOf,
  placed,
  read,
  reads,
  staffReads,
  UNDER_VALUES,
  validBody,
  valueAt,
  withBody,
} from './requests';
import type { Sender, Sent } from './sender';
import { STORED } from './stored';
import type { Target } from './target';
import { WRITES } from './writes';

/** One attack of a family: what it sends, and how, until the signal. */
export interface Attack {
  what: string;
  /** Stores what it is about, before others' waits are measured. */
  prepare?(): Promise<unknown>;
  run(sender: Sender, signal: AbortSignal): Promise<void>;
}

/** Makes attacks of one kind, each from the next random numbers. */
export type Family = (target: Target, random: Random) => Attack;

const PAGE_CONNECTIONS = 16;
const UNREAD_CONNECTIONS = 64;
/** More than an api keeps. */
const MANY_CONNECTIONS = 6_000;
const PIPELINED = 100;
const HEADER = 14_000;
/** As many as an organization may have. */
const ENDPOINTS = 20;
const IMPORTED = 2_500;
const CONNECTIONS_OF = { writes: 16, imports: 2 };
const POISONED = 5_000;
/** Every so many requests that make something grow, one reads. */
const READ_EVERY = 10;
/** Other types of bodies, with a piece of one. */
const OTHER_TYPES: Record<string, string> = {
  'text/csv': '"a;=1+1;b",',
  'multipart/form-data; boundary=x':
    '--x\r\ncontent-disposition: form-data; name="a"; filename="a.csv"\r\n\r\na,b\r\n',
  'application/x-www-form-urlencoded': 'a[b][c]=1&',
  'application/xml': '<a b="&c;">',
  'application/octet-stream': 'PK\u0003\u0004',
};
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const BATCH = 500;
const [EPOCH, YEAR_MS] = [Date.parse('2026-01-01T00:00:00Z'), 365 * 86_400_000];

export const FAMILIES: Record<string, Family> = {
  ...STORED,
  ...WRITES,

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
    const { of, example, place, request } = placed(target, random);
    const shapes = { 'unclosed arrays': (bytes: number) => '[1,'.repeat(bytes / 3), ...HOSTILE_SHAPES };
    const [shape, json] = one(Object.entries(shapes), random);
    const bytes = one([UNDER_VALUES, IMPORT, BOMB], random);
    const compressed = gzipSync(withJsonAt(example, place, json(bytes)));
    const { headers, ...rest } = request('');
    const asked = { ...rest, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
    return {
      what: `${of.name}, ${bytes} bytes of ${shape} at ${place.join('.')} in ${compressed.length}`,
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
    const value = `x${piece.repeat(HEADER / piece.length)}x`;
    return {
      what: `${of.name}, ${header} of ${value.length} characters of "${piece}"`,
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
      run: (sender, signal) =>
        keep(sender, signal, UNREAD_CONNECTIONS, () =>
          sender.ignore({ ...request, headers: { ...request.headers, 'accept-encoding': encoding } }),
        ),
    };
  },

  'bodies that stop short': (target, random) => {
    const { of, request } = placed(target, random);
    const length = one([2, INLINE, 900_000], random);
    const body = 'x'.repeat(1_000_000);
    return {
      what: `${of.name}, ${length} of 1,000,000 bytes`,
      run: (sender, signal) =>
        keep(sender, signal, UNREAD_CONNECTIONS, () => sender.stopShort(request(body), length)),
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
    const about = one(['different participants', 'two participants', 'one bib'], random);
    const participants =
      about === 'two participants'
        ? { ...timing, participantIds: timing.participantIds.slice(0, 2) }
        : timing;
    let sent = 0;
    const messages = () => {
      const some = someMessages(participants, BATCH, BATCH * sent++);
      if (about !== 'one bib') return some;
      // In no order: each claim changes who held the bib since.
      return some.map(({ data: { participantId }, ...message }, n) => ({
        ...message,
        data: { participantId, bibNumber: '1' },
        changedAt: new Date(EPOCH + (((sent * BATCH + n) * 7_919_000) % YEAR_MS)).toISOString(),
      }));
    };
    return {
      what: `about ${about}`,
      run: (sender, signal) =>
        flood(sender, signal, () => ({
          method: 'POST',
          path: '/timing-inbound/v1',
          headers: { ...timing.timing.headers, ...JSON_TYPE },
          body: JSON.stringify(messages()),
        })),
    };
  },

  'bodies of other types': (target, random) => {
    const { of, bytes, request } = placed(target, random);
    const type = one(Object.keys(OTHER_TYPES), random);
    const body = (OTHER_TYPES[type] as string).repeat(bytes / (OTHER_TYPES[type] as string).length);
    const asked = request(body);
    return {
      what: `${of.name}, ${bytes} bytes of ${type}`,
      run: (sender, signal) =>
        flood(sender, signal, () => ({ ...asked, headers: { ...asked.headers, 'content-type': type } })),
    };
  },

  'many connections': ({ callers }, random) => {
    const [line = ''] = Object.entries(callers.ORGANIZER).map(([name, value]) => `${name}: ${value}\r\n`);
    const small = `GET /identity HTTP/1.1\r\nhost: x\r\n${line}`;
    const [what, text] = one(
      Object.entries({
        'that send nothing': '',
        'that send half a head': small,
        'that stay after a request': `${small}\r\n`,
        'whose small responses are never read': `${small}\r\n`.repeat(PIPELINED),
        'whose bodies stop short': `POST /v0/partners HTTP/1.1\r\nhost: x\r\n${line}content-type: application/json\r\ncontent-length: 60000\r\n\r\n{`,
      }),
      random,
    );
    return { what, run: (sender, signal) => keep(sender, signal, MANY_CONNECTIONS, () => sender.hold(text)) };
  },

  'the console with a session': (target, random) => {
    const operations = random.shuffled(staffReads);
    let sent = 0;
    return {
      what: `${operations.length} reads in turn`,
      run: (sender, signal) =>
        flood(
          sender,
          signal,
          () => {
            const of = operations[sent++ % operations.length] as DocumentedOperation;
            return { path: pathOf(target, of), headers: headersFor(target, of) };
          },
          PAGE_CONNECTIONS,
        ),
    };
  },

  // Of one behaviour or of all; for each of many writes, or for an import with two entries in each booking.
  'webhook endpoints': (target, random) => {
    const { receiver, callers, importing } = target;
    const headers = { ...callers.ORGANIZER, ...JSON_TYPE };
    const behaviours = one([...RECEIVERS.map((name) => [name]), RECEIVERS], random);
    const changes = one(['writes', 'imports'] as const, random);
    const types = {
      writes: ['partner.created'],
      imports: ['booking.created', 'participant.created', 'application.created'],
    };
    const partner = operation('createPartner');
    const run = random.between(0, 1e9);
    const rows = JSON.parse(bookingsBody(importing, IMPORTED)).bookings.map(
      (row: { participants: object[] }) => ({
        ...row,
        participants: [...row.participants, ...row.participants],
      }),
    );
    const imported = JSON.stringify({ bookings: rows });
    let sent = 0;
    const requests = {
      writes: (): Sent => ({
        method: 'POST',
        path: '/v0/partners',
        headers,
        body: JSON.stringify(validBody(target, partner)),
      }),
      imports: (): Sent => ({
        method: 'POST',
        path: '/v0/bookings/import',
        headers: { ...importing.headers, ...JSON_TYPE },
        body: imported.replaceAll('"order-', `"order-${run}-${sent++}-`),
      }),
    };
    return {
      what: `${ENDPOINTS} of ${changes}, whose receiver ${behaviours.length === 1 ? behaviours[0] : 'does all of that'}`,
      run: async (sender, signal) => {
        const endpoints = `${target.api.url}/v0/webhook-endpoints`;
        const made: string[] = [];
        for (let n = 0; n < ENDPOINTS; n++) {
          const url = receiver.urlOf(behaviours[n % behaviours.length] as string);
          const body = JSON.stringify({ url, types: types[changes] });
          const answer = await fetch(endpoints, { method: 'POST', headers, body });
          if (answer.ok) made.push(((await answer.json()) as { id: string }).id);
        }
        await flood(sender, signal, requests[changes], CONNECTIONS_OF[changes]);
        for (const id of made)
          await fetch(`${endpoints}/${id}`, { method: 'DELETE', headers: callers.ORGANIZER });
      },
    };
  },

  // Rows that the check accepts, and that fail in the worker.
  'poison rows': (target, random) => {
    const of = one(withBody.filter(isImport), random);
    const example = Object.entries(validBody(target, of) as Record<string, unknown>);
    const [collection, rowsOf] = example.find(([, value]) => Array.isArray(value)) ?? ['', []];
    const [row = {}] = rowsOf as Record<string, unknown>[];
    const places = placesIn(row).filter((place) => UUID.test(String(valueAt(row, place))));
    const share = one([1, 100], random);
    const run = random.between(0, 1e9);
    let sent = 0;
    const rows = () =>
      Array.from({ length: POISONED }, (_, n) => {
        const json = JSON.stringify(row).replace(/("external\w+Id":"|"code":")/, `$1${run}-${sent}-${n}-`);
        const poisoned = JSON.parse(json);
        const place = places[n % Math.max(1, places.length)];
        return place && n % share === 0 ? JSON.parse(withJsonAt(poisoned, place, `"${newId()}"`)) : poisoned;
      });
    return {
      what: `${of.name}, one of ${share} rows names nothing`,
      run: (sender, signal) =>
        flood(
          sender,
          signal,
          () => {
            sent += 1;
            return {
              method: of.method,
              path: pathOf(target, of),
              headers: { ...headersFor(target, of), ...JSON_TYPE },
              body: JSON.stringify({ [collection]: rows() }),
            };
          },
          2,
        ),
    };
  },

  // Whatever a write may store at its largest, and the pages that show it.
  'answers that grow': (target, random) => {
    const of = one(
      withBody.filter((each) => each.access.keys.includes('ORGANIZER')),
      random,
    );
    // Around the limits of what is checked: the larger one may be refused.
    const bytes = one([INLINE, ORDINARY / 2, ORDINARY], random);
    const body = () => JSON.stringify(grown(of.body, validBody(target, of), bytes));
    const pages = Array.from({ length: READ_EVERY }, () => read(target, random).request);
    let sent = 0;
    return {
      what: `${of.name}, the largest values in ${bytes} bytes`,
      run: (sender, signal) =>
        flood(sender, signal, () => {
          sent += 1;
          if (sent % READ_EVERY === 0) return pages[(sent / READ_EVERY) % pages.length] as Sent;
          return {
            method: of.method,
            path: pathOf(target, of),
            headers: { ...headersFor(target, of), ...JSON_TYPE },
            body: body(),
          };
        }),
    };
  },
};
