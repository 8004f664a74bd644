import type { Caller } from '#libs/access';
import { errors } from '#libs/errors';
import type { Cursor, Cursors } from './cursor';
import { filtersOf, type ListDeclaration, type Sort, STANDARD_PAGING } from './list-declaration';
import { freeText, integer, oneOf, type Parameter, type Parameters } from './parameters';
import type { Values } from './resource';

const DEFAULT_SIZE = { default: 100, max: 500 } as const;
/** What one page holds where a list gives every item; no list of that kind comes near it. */
const EVERY_ITEM = 100_000;
const MAX_SKIP = 10_000;

const deprecated = (parameter: Parameter<unknown>, instead: string): Parameter<unknown> => ({
  ...parameter,
  deprecated: true,
  description: `Deprecated: use \`${instead}\`. ${parameter.description}`,
});

const spelled = (names: readonly string[], parameter: Parameter<unknown>): Parameters =>
  Object.fromEntries(
    names.map((name, i) => [name, i === 0 ? parameter : deprecated(parameter, names[0] ?? name)]),
  );

const direction = (what: string) =>
  oneOf(`By time${what && ` ${what}`}: \`1\` ascending, \`-1\` descending.`, ['1', '-1']);

/** Every query parameter that a list takes. */
export function parametersOf(list: ListDeclaration): Parameters {
  const paging = list.paging ?? STANDARD_PAGING;
  const { default: size, max } = list.size ?? DEFAULT_SIZE;
  const cursor = (what: string) => freeText(what, { max: 1_000 });
  return {
    ...spelled(
      paging.size,
      integer(`Items per page${size === 'all' ? '. If absent, all items are returned' : ''}.`, {
        min: 1,
        max,
        ...(size !== 'all' && { default: size }),
      }),
    ),
    ...spelled(paging.after, cursor('The page after this cursor: the `last` of the page before it.')),
    ...spelled(paging.before, cursor('The page before this cursor: the `first` of the page after it.')),
    ...(paging.skip && {
      [paging.skip]: integer('Leaves out so many items first.', { min: 0, max: MAX_SKIP, default: 0 }),
    }),
    ...(list.times && {
      'sort[createdAt]': direction('of creation'),
      'sort[updatedAt]': direction('of last change'),
    }),
    ...(list.moment && { [`sort[${list.moment}]`]: direction('') }),
    ...Object.fromEntries(Object.entries(filtersOf(list)).map(([name, filter]) => [name, filter.parameter])),
    ...list.shows,
  };
}

/** A request for a page, with everything decided that needs no data. */
export interface ListRequest {
  caller: Caller;
  values: Values;
  /** The id that the path names, for a list within something. */
  withinId?: string;
  size: number;
  /** One of the few sizes that most requests have. */
  usualSize: boolean;
  skip: number;
  sort: Sort;
  descending: boolean;
  /** Names the list, its filters and sort, and the organization: what a cursor holds within. */
  identity: string;
  cursor?: Cursor;
  /** Writes the page's own. */
  cursors: Cursors;
  backward: boolean;
  /** No filter: the counter counts it. */
  unfiltered: boolean;
  /** Ends at the watermark. */
  moves: boolean;
}

/** @throws ApiError 400 for parameters that don't go together, and for cursors that are not this list's */
export function listRequestOf(
  list: ListDeclaration,
  caller: Caller,
  values: Values,
  path: Record<string, unknown>,
  cursors: Cursors,
): ListRequest {
  const paging = list.paging ?? STANDARD_PAGING;
  const { default: defaultSize, max } = list.size ?? DEFAULT_SIZE;
  const filters = Object.entries(filtersOf(list)).filter(([name]) => values[name] !== undefined);
  for (const [name, { feature }] of filters) {
    if (feature && !(values.features as ReadonlySet<string> | undefined)?.has(feature)) {
      throw errors.invalid(`${name} requires features=${feature}`);
    }
  }
  const byChange = filters.some(([, filter]) => filter.moves);
  const { by, sort, descending } = sortOf(list, values, byChange);
  const filterValues = filters.map(([name]) => [name, values[name]]);
  const identity = JSON.stringify([list.name, caller.organizationId, path, filterValues, by, descending]);

  const after = only(paging.after, values);
  const before = only(paging.before, values);
  if (after && before) throw errors.invalid(`${after.name} and ${before.name} can't be given together`);
  const given = after ?? before;
  const cursor = given && cursors.decode(identity, sort.type, given.value);
  if (given && !cursor) {
    throw errors.invalid(
      `${given.name} must be a cursor from this list, with the same filters and sort order`,
    );
  }
  const usual = defaultSize === 'all' ? EVERY_ITEM : defaultSize;
  const size = Number(only(paging.size, values)?.value ?? usual);
  return {
    caller,
    values,
    withinId: list.within && String(path[list.within.parameter ?? 'id']),
    size,
    usualSize: size === usual || size === max,
    skip: Number((paging.skip && values[paging.skip]) ?? 0),
    sort,
    descending,
    identity,
    cursor,
    cursors,
    backward: before !== undefined,
    unfiltered: filters.length === 0,
    moves: byChange || sort.moves === true,
  };
}

/** The one spelling that was given; an empty cursor counts as absent. */
function only(names: readonly string[], values: Values): { name: string; value: string } | undefined {
  const given = names.filter((name) => values[name] !== undefined && values[name] !== '');
  if (given.length > 1) throw errors.invalid(`${given.join(' and ')} are aliases; send only one of them`);
  const [name] = given;
  return name === undefined ? undefined : { name, value: String(values[name]) };
}

function sortOf(
  list: ListDeclaration,
  values: Values,
  byChange: boolean,
): { by: string; sort: Sort; descending: boolean } {
  const created = values['sort[createdAt]'];
  const updated = values['sort[updatedAt]'];
  if (created && updated) throw errors.invalid("sort[createdAt] and sort[updatedAt] can't be given together");
  if (list.times && (updated || (byChange && !created))) {
    const sort: Sort = { sql: list.times.updatedAt, type: 'timestamptz', moves: true };
    return { by: 'updatedAt', sort, descending: updated === '-1' };
  }
  if (list.times && created) {
    const sort: Sort = { sql: list.times.createdAt, type: 'timestamptz' };
    return { by: 'createdAt', sort, descending: created === '-1' };
  }
  const asked = list.moment && values[`sort[${list.moment}]`];
  return {
    by: 'default',
    sort: list.order,
    descending: asked ? asked === '-1' : list.newestFirst === true,
  };
}
