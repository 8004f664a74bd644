import { checkBatch, type ImportSurface } from '#domain/imports';
import { HOSTILE_TEXTS, textPlacesOf } from '#libs/testing';
import { CATALOGUE_BOUNDS, ORDINARY_BOUNDS, readBody, unboundedIn } from '#platform/validation';
import { type Asker, startAsker, titled } from './asker';
import { ALL_OPERATIONS, DOCUMENT, type DocumentedOperation, OPERATIONS, pathOf } from './document';
import { raw } from './refused';

const SCHEMAS = DOCUMENT.components.schemas;
const WITH_BODIES = ALL_OPERATIONS.filter(({ body }) => body);
const surfaceOf = ({ access }: DocumentedOperation) =>
  access.rate === 'import' ? (access.surface as ImportSurface) : undefined;

/** `[0].data.bibNumber` as `0.data.bibNumber`. */
const placeOf = ({ path }: { path: string }) => path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, '');
/** Ids are trimmed before they are judged, so blanks are too short, or the worker's to judge. */
const isBlank = (text: string) => text.trim() === '';
const NAMES = new Set(['firstName', 'lastName', 'name', 'title', 'label', 'group']);
const REFUSED = ['TOO_LONG', 'TOO_SHORT', 'INVALID_FORMAT', 'UNUSABLE_TEXT'];

/** Texts of megabytes are judged like the others, so one of each kind of characters is enough. */
const LONG = 100_000;
const textsFor = (most: number) =>
  Object.entries(HOSTILE_TEXTS).filter(
    ([kind]) => most < LONG || kind === 'letters' || kind === 'joined emoji',
  );

/** What the event loop does with a small body, and the checking thread with a large one. */
function problemsOf(of: DocumentedOperation, body: unknown) {
  const bytes = Buffer.from(JSON.stringify(body));
  const surface = surfaceOf(of);
  if (surface) {
    const result = checkBatch(surface, bytes);
    return 'problems' in result ? result.problems : [];
  }
  const { $ref, oneOf } = of.body ?? {};
  const schema = ($ref ?? oneOf[0].$ref).replace(/^.*\//, '');
  const bounds = of.path.includes('/catalogue') ? CATALOGUE_BOUNDS : ORDINARY_BOUNDS;
  return readBody({ schema, orArrayOf: oneOf ? 500 : undefined }, bytes, bounds).problems;
}

/** The texts that expressions and parsers were given while the work ran, and that begin like the text. */
function judged(text: string, work: () => void): number[] {
  const lengths: number[] = [];
  const start = text.slice(0, 50);
  const note = (given: unknown) => {
    if (typeof given === 'string' && given.startsWith(start)) lengths.push(given.length);
  };
  // Not spies: they keep what each of a million calls was given and has returned.
  const { canParse } = URL;
  const { test, exec } = RegExp.prototype;
  URL.canParse = (...given) => {
    note(given[0]);
    return canParse(...given);
  };
  RegExp.prototype.test = function (given) {
    note(given);
    return test.call(this, given);
  };
  RegExp.prototype.exec = function (given) {
    note(given);
    return exec.call(this, given);
  };
  try {
    work();
  } finally {
    Object.assign(URL, { canParse });
    Object.assign(RegExp.prototype, { test, exec });
  }
  return lengths;
}

/** Protects other organizations: nothing that a request contains is without a bound. */
describe('what a request can contain', () => {
  it('has a maximum everywhere', () => {
    const requests = ALL_OPERATIONS.flatMap(({ name, body, query }) => [
      ...(body ? [[name, body] as const] : []),
      ...query.map((each) => [`${name}?${each.name}`, each.schema] as const),
    ]);
    expect(requests.flatMap(([name, schema]) => unboundedIn(schema, SCHEMAS, name))).toEqual([]);
  });

  it('is unbounded if a property of any kind has no maximum', () => {
    const properties = {
      text: { type: 'string' },
      url: { type: ['string', 'null'], format: 'uri' },
      count: { type: 'integer', minimum: 0 },
      list: { type: 'array', items: { enum: ['a'] } },
      anything: {},
      map: { type: 'object', additionalProperties: { type: 'string', maxLength: 1 } },
      free: { type: 'object', additionalProperties: true },
      bounded: { type: 'object', additionalProperties: true, 'x-mostJsonCharacters': 10 },
      id: { type: 'string', format: 'uuid' },
      names: { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 5 } },
    };
    expect(unboundedIn({ type: 'object', properties }, {}, 'it')).toEqual(
      ['text', 'url', 'count', 'list', 'anything', 'map', 'free'].map((name) => `it.${name}`),
    );
  });
});

describe.each(titled(WITH_BODIES))('%s', (_, of) => {
  const places = textPlacesOf(of.body ?? {}, SCHEMAS);

  it('judges the length of a text before anything else', () => {
    for (const { path, most, body } of places) {
      for (const [kind, hostile] of textsFor(most)) {
        const text = hostile(3_000).padEnd(2 * most + 2, 'x');
        let codes: string[] = [];
        const lengths = judged(text, () => {
          const named = problemsOf(of, body(text)).filter((each) => placeOf(each) === path);
          codes = named.map(({ code }) => code);
        });
        const ok = (codes.length > 0 || isBlank(text)) && codes.every((code) => REFUSED.includes(code));
        expect([path, kind, ok, lengths.filter((length) => length > most)]).toEqual([path, kind, true, []]);
      }
    }
  });

  it('refuses names that are white space alone', () => {
    for (const { path, body } of places.filter((place) => NAMES.has(place.path.split('.').at(-1) as string)))
      for (const text of [' ', '\t\n', '\u00a0\u2003\ufeff'])
        expect([path, problemsOf(of, body(text)).map(placeOf)]).toEqual([
          path,
          expect.arrayContaining([path]),
        ]);
  });

  it('does not call a text of the longest length too long', () => {
    for (const { path, most, body } of places) {
      for (const [kind, hostile] of textsFor(most)) {
        const text = hostile(most + 10).slice(0, most);
        const codes = problemsOf(of, body(text))
          .filter((each) => placeOf(each) === path)
          .map(({ code }) => code);
        expect([path, kind, codes]).toEqual([path, kind, expect.not.arrayContaining(['TOO_LONG'])]);
      }
    }
  });
});

describe('the API', () => {
  let asker: Asker;
  beforeAll(async () => {
    asker = await startAsker();
  });
  afterAll(() => asker.api.close());

  it.each(titled(OPERATIONS.filter(({ body }) => body)))(
    '%s refuses texts that are too long',
    async (_, of) => {
      const [INLINE, THREAD] = [15_000, 60_000];
      const host = HOSTILE_TEXTS['a host of many characters'] as (length: number) => string;
      // By the event loop, and by the checking thread. An import judges all its places at once (see above).
      const places = textPlacesOf(of.body ?? {}, SCHEMAS).filter(
        (_place, i, { length }) => !surfaceOf(of) || i === 0 || i === length - 1,
      );
      for (const { body } of places)
        for (const length of [INLINE, THREAD]) {
          const { status } = await raw(asker.api, of.method, pathOf(of, asker.whole.ids), {
            body: JSON.stringify(body(host(length))),
            headers: { 'content-type': 'application/json' },
            token: asker.tokenFor(of),
          });
          expect(status).toBe(400);
        }
    },
  );
});
