import type { Caller } from '#platform/access';
import { errors } from '#platform/validation';
import type { Cursor, Cursors } from './cursor';
import { filtersOf, type ListDeclaration, type Sort, STANDARD_PAGING } from './list-declaration';
import { freeText, integer, oneOf, type Parameter, type Parameters } from './parameters';
import type { Values } from './resource';

const DEFAULT_SIZE = { default: 100, max: 500 } as const;
/** The page size of a list that returns all items; larger than any such list. */
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

const sortParameter = (name: string) => `sort[${name}]`;
const direction = (by: string) => oneOf(`${by}: \`1\` ascending, \`-1\` descending.`, ['1', '-1']);

/** All query parameters of a list. */
export function parametersOf(list: ListDeclaration): Parameters {
  const paging = list.paging ?? STANDARD_PAGING;
  const { default: size, max } = list.size ?? DEFAULT_SIZE;
  const cursor = (what: string) => freeText(what, { max: 1_000 });
  return {
    ...spelled(
      paging.size,
      integer(
        `Items per page, 1 to ${max}; ${size === 'all' ? 'if absent, all items are returned' : `${size} by default`}.`,
        {
          min: 1,
          max,
          ...(size !== 'all' && { default: size }),
        },
      ),
    ),
    ...spelled(
      paging.after,
      cursor(
        'The page after this cursor: `page.next` of the previous page, or its `page.last`, which is also set at the end of the list.',
      ),
    ),
    ...spelled(
      paging.before,
      cursor('The page before this cursor: `page.prev` of the following page, or its `page.first`.'),
    ),
    ...(paging.skip && {
      [paging.skip]: integer('The number of items to skip.', { min: 0, max: MAX_SKIP, default: 0 }),
    }),
    ...(list.times?.createdAt && { 'sort[createdAt]': direction('By time of creation') }),
    ...(list.times && {
      'sort[updatedAt]': direction('By time of last change'),
    }),
    ...(list.moment && { [`sort[${list.moment}]`]: direction('By time') }),
    ...Object.fromEntries(
      Object.entries(list.sorts ?? {}).map(([name, { description }]) => [
        sortParameter(name),
        direction(description),
      ]),
    ),
    ...Object.fromEntries(Object.entries(filtersOf(list)).map(([name, filter]) => [name, filter.parameter])),
    ...list.shows,
  };
}

/** A request for a page, with all decisions that need no data. */
export interface ListRequest {
  caller: Caller;
  values: Values;
  /** The id of the parent from the path. */
  withinId?: string;
  size: number;
  /** Whether the size is one of the few frequent sizes. */
  usualSize: boolean;
  skip: number;
  /** Rows that are read in addition to a page, when the pages of several nodes are merged. */
  readAhead?: number;
  sort: Sort;
  descending: boolean;
  /** Identifies the list, its filters and sort order, and the organization: the scope of a cursor. */
  identity: string;
  cursor?: Cursor;
  /** Encodes the cursors of the page. */
  cursors: Cursors;
  backward: boolean;
  /** The names of the filters. */
  filters: readonly string[];
  /** Whether the list ends at the watermark. */
  moves: boolean;
  /** ERASURE_SECRET, for filters by external ids. */
  erasureSecret?: string;
}

/** @throws ApiError 400 for parameters that exclude each other, and for cursors of other lists */
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
  const identity = JSON.stringify([
    list.name,
    caller.organizationId,
    path,
    filterValues,
    by,
    descending,
    caller.partner?.id,
  ]);

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
    filters: filters.map(([name]) => name),
    moves: byChange || sort.moves === true,
  };
}

/** Pages up to this size are not large: the default size of most lists. */
const SMALL_PAGE = DEFAULT_SIZE.default;

/** Whether a page of this size can take megabytes. */
export function isLargePage({ paging = STANDARD_PAGING, size }: ListDeclaration, values: Values): boolean {
  const { default: usual } = size ?? DEFAULT_SIZE;
  // A list without a default size is one of a parent's few items.
  const most = usual === 'all' ? SMALL_PAGE : usual;
  return Math.max(most, ...paging.size.map((name) => Number(values[name] ?? 0))) > SMALL_PAGE;
}

/** The alias that was sent; an empty cursor counts as absent. */
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
  const { times, moment, sorts = {} } = list;
  const names = [
    ...(times?.createdAt ? ['createdAt'] : []),
    ...(times ? ['updatedAt'] : []),
    ...(moment ? [moment] : []),
    ...Object.keys(sorts),
  ];
  const [by, another] = names.filter((name) => values[sortParameter(name)]);
  if (another)
    throw errors.invalid(
      `${sortParameter(by as string)} and ${sortParameter(another)} can't be given together`,
    );
  const descending = by ? values[sortParameter(by)] === '-1' : list.newestFirst === true;
  const other = by && sorts[by];
  if (other) {
    const { within } = other;
    if (within && !within.some((filter) => values[filter] !== undefined))
      throw errors.invalid(`${sortParameter(by)} requires ${within.join(' or ')}`);
    return { by, sort: other, descending };
  }
  if (times && (by === 'updatedAt' || (byChange && by !== 'createdAt')))
    return {
      by: 'updatedAt',
      sort: { sql: times.updatedAt, type: 'timestamptz', moves: true },
      descending: by ? descending : false,
    };
  if (times?.createdAt && by === 'createdAt')
    return { by, sort: { sql: times.createdAt, type: 'timestamptz' }, descending };
  return { by: 'default', sort: list.order, descending };
}
