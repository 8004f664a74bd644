import { setTimeout as sleep } from 'node:timers/promises';
import { placesIn } from '#libs/testing';
import type { Random } from '../../test/chaos/random';
import { BODIES } from '../../test/contract/bodies';
import {
  ALL_OPERATIONS,
  type DocumentedOperation,
  pathOf as documentedPath,
  subjectOf,
} from '../../test/contract/document';
import type { Sender, Sent } from './sender';
import type { Target } from './target';

const CONNECTIONS = 8;
const OPENED_AT_ONCE = 25;
export const JSON_TYPE = { 'content-type': 'application/json' };
/** Around the limits below which a body is checked in the thread of the requests, and of each kind of body. */
export const [INLINE, ORDINARY, TIMING, IMPORT] = [64_000, 1_040_000, 16_700_000, 20_900_000];
/** About as many bytes as an import may have of its smallest values, and more than any body. */
export const [UNDER_VALUES, BOMB] = [5_900_000, 100_000_000];
const LARGEST_BODY: Record<string, number> = { timing: TIMING };
const LARGEST = '500';

export const one = <T>(items: readonly T[], random: Random): T =>
  items[random.between(0, items.length - 1)] as T;

/** Keeps this many requests under way. */
export async function flood(
  sender: Sender,
  signal: AbortSignal,
  next: () => Sent | Promise<Sent>,
  connections = CONNECTIONS,
) {
  const client = async () => {
    while (!signal.aborted) await sender.send(await next());
  };
  await Promise.race([
    Promise.all(Array.from({ length: connections }, client)),
    sleep(2 ** 30, undefined, { signal }).catch(() => {}),
  ]);
}

/** Keeps this many connections that do not end by themselves. */
export async function keep(sender: Sender, signal: AbortSignal, connections: number, open: () => void) {
  while (!signal.aborted) {
    for (let n = 0; n < OPENED_AT_ONCE && sender.waiting < connections; n++) open();
    await sleep(5, undefined, { signal }).catch(() => {});
  }
}

export const isImport = ({ access }: DocumentedOperation) => access.rate === 'import';

export const valueAt = (value: unknown, place: (string | number)[]): unknown =>
  place.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], value);

/** The headers with which the hostile organization calls an operation. */
export function headersFor({ callers }: Target, { access }: DocumentedOperation): Record<string, string> {
  return callers[(access.keys[0] as keyof Target['callers'] | undefined) ?? 'STAFF'];
}

export const staffReads = ALL_OPERATIONS.filter(
  ({ method, path }) => method === 'GET' && path.startsWith('/console/') && !/session/.test(path),
);
export const withBody = ALL_OPERATIONS.filter(
  ({ body, name }) => body && !/session|password|member|erase|redact/i.test(name),
);
export const reads = ALL_OPERATIONS.filter(
  ({ method, path }) => method === 'GET' && !/session|stream/i.test(path),
);

/** Operations whose responses can be large. */
const large = reads.filter(({ isList, name }) => isList || /export|getStaffParticipant/.test(name));

export const validBody = ({ whole }: Target, { name, example }: DocumentedOperation): unknown =>
  BODIES[name]?.(whole) ?? example ?? {};

/** The path with ids of the hostile organization, for the paths of the console, too. */
export function pathOf(
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
  const bytes = one(
    isImport(of)
      ? [INLINE, ORDINARY, UNDER_VALUES, IMPORT]
      : [INLINE, ORDINARY, LARGEST_BODY[of.access.rate] ?? ORDINARY],
    random,
  );
  const places = placesIn(example);
  // Also where the body has a property that nothing reads.
  const additions = places
    .filter((each) => !Array.isArray(valueAt(example, each)) && typeof valueAt(example, each) === 'object')
    .map((each) => [...each, 'addition']);
  const place = one([...places, ...additions], random);
  const request = (body: string): Sent => ({
    method: of.method as 'POST',
    path: pathOf(target, of),
    headers: { ...headersFor(target, of), ...JSON_TYPE },
    body,
  });
  return { of, example, bytes, place, request };
}

/** Path, query and headers of any read, with values of the organization. */
export function read(
  target: Target,
  random: Random,
  size = LARGEST,
): { of: DocumentedOperation; request: Sent } {
  const of = one(size === LARGEST ? large : reads, random);
  const query: Record<string, string> = {};
  for (const { name, schema } of of.query) {
    if (name === 'page[size]' || name === 'pageSize')
      query[name] = String(Math.min(Number(size), schema.maximum ?? Number(size)));
    if (name === 'extendMetadata') query[name] = 'true';
  }
  return { of, request: { path: pathOf(target, of, query), headers: headersFor(target, of) } };
}
