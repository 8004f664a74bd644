import type { Caller } from '#platform/access';
import { boolean, dateTime, freeText, id, type Parameter, type Parameters } from './parameters';
import type { Bind, Resource, Values } from './resource';

/** The order of a list. Ties are broken by id, in the same direction. */
export interface Sort {
  /** An SQL expression that is never null. */
  sql: string | ((bind: Bind, values: Values) => string);
  type: 'timestamptz' | 'date' | 'integer' | 'bigint' | 'double precision' | 'text';
  /** The key changes when the row changes, so the list ends at the watermark. */
  moves?: boolean;
  /** The view that the list reads instead of its table, because the key is not leakproof and needs an index. */
  from?: string;
  /** The order's index has no column of a filter, so all filters are treated as skewed ones. */
  skewed?: boolean;
}

/** An order that a list can have instead of its own. */
export interface OtherSort extends Sort {
  description: string;
  /** The order has no index: one of these filters must bound the rows. */
  within?: readonly string[];
}

export interface Filter {
  parameter: Parameter<unknown>;
  /**
   * The condition on rows aliased `t`: from the placeholder of the value, or one for each permitted value if a
   * partial index requires its own condition. Absent for a filter that `finds`.
   */
  where?: ((value: string, bind: Bind, caller: Caller) => string) | Readonly<Record<string, string>>;
  /** The value is an external id, by which the records of an erased person are found too. */
  external?: boolean;
  /** The filter is only available if the request's `features` contain this. */
  feature?: string;
  /** The view that the list reads instead of its table, because the condition is not leakproof and needs an index. */
  from?: string;
  /**
   * The rows with the value, aliased `t`, in place of the table: they are found first, once for a page, and filtered and ordered
   * then. By the index of the order, PostgreSQL would compare all rows.
   */
  finds?: (value: unknown, bind: Bind, caller: Caller) => string;
  /**
   * Some values are in most rows and others in few. The page is looked for in the rows that follow in the list's order; if
   * they do not fill it, all rows with the value are read.
   */
  skewed?: boolean;
  /** Counts the rows with each value, for lists with this filter only. The subject is an SQL expression, a uuid. */
  counter?: { kind: string; subject: (value: string) => string };
  /** The filter uses `updatedAt`: without a sort parameter, the order is `updatedAt`, and the list ends at the watermark. */
  moves?: boolean;
}

/** The names of the paging parameters; the first is current, others are deprecated. */
export interface Paging {
  size: readonly string[];
  after: readonly string[];
  before: readonly string[];
  skip?: string;
}

export const STANDARD_PAGING: Paging = {
  size: ['page[size]'],
  after: ['page[after]'],
  before: ['page[before]'],
};

/** The parent of a list. */
export interface Within {
  /** The column of the list's rows that refers to the parent. */
  column: string;
  /** The path parameter; `id` by default. */
  parameter?: string;
  /** The table of the parent: if the parent does not exist, the list answers 404. */
  parent?: string;
  parentWhere?: string;
}

export interface ListDeclaration {
  /** A stable name: a cursor is only valid for one list. */
  name: string;
  /** The name of the envelope in the OpenAPI document. */
  schemaName: string;
  of: Resource;
  /** The parent, which the path identifies. */
  within?: Within;
  /** Additional conditions, which can use the path parameter. */
  where?: string | ((bind: Bind, values: Values, caller: Caller) => string);
  order: Sort;
  /** Descending by default. */
  newestFirst?: boolean;
  /**
   * `createdAt` and `updatedAt` columns: adds the standard sort parameters and date filters (docs/interface.md#lists). Without
   * `createdAt`, those of `updatedAt` only, which is then the order.
   */
  times?: { createdAt?: string; updatedAt: string };
  /** The name of the time in `order`: adds `sort[…]`, `…[after]` and `…[before]`. */
  moment?: string;
  /** Further orders, by the name in their parameter `sort[…]`. */
  sorts?: Record<string, OtherSort>;
  filters?: Record<string, Filter>;
  /** Parameters that change the properties of items, but not which items are included. */
  shows?: Parameters;
  /** `all`: all items by default. */
  size?: { default: number | 'all'; max: number };
  paging?: Paging;
  /** `brief`: the marketplace's envelope. */
  envelope?: 'standard' | 'brief';
  /** The counter for the list without filters, and its subject if that is not the parent; absent: rows are counted. */
  counter?: string;
  counts?: (caller: Caller) => string;
  /** The counter for the list of a partner without filters, by the id of the partner; absent: rows are counted. */
  partnerCounter?: string;
}

const timeFilter = (column: string, operator: '<' | '>', moves: boolean, verb?: string): Filter => ({
  parameter: dateTime(
    `Only items ${verb ?? (moves ? 'last changed' : 'created')} ${operator === '>' ? 'after' : 'before'} this time (exclusive).`,
    operator === '>' ? 'down' : 'up',
  ),
  where: (value) => `${column} ${operator} ${value}::timestamptz`,
  moves,
});

/** Of each list, because a request asks several times. */
const filtersByList = new WeakMap<ListDeclaration, Record<string, Filter>>();

/** All filters of a list, including the standard ones. */
export function filtersOf(list: ListDeclaration): Record<string, Filter> {
  const { times, moment, order, filters } = list;
  const known = filtersByList.get(list);
  if (known) return known;
  const all: Record<string, Filter> = {
    ...(times?.createdAt && {
      'createdAt[after]': timeFilter(times.createdAt, '>', false),
      'createdAt[before]': timeFilter(times.createdAt, '<', false),
    }),
    ...(times && {
      'updatedAt[after]': timeFilter(times.updatedAt, '>', true),
      'updatedAt[before]': timeFilter(times.updatedAt, '<', true),
    }),
    ...(moment && {
      [`${moment}[after]`]: timeFilter(String(order.sql), '>', false, 'dated'),
      [`${moment}[before]`]: timeFilter(String(order.sql), '<', false, 'dated'),
    }),
    ...filters,
  };
  filtersByList.set(list, all);
  return all;
}

/** The rows whose column has the value. */
export const equals = (column: string, parameter: Parameter<unknown>): Filter => ({
  parameter,
  where: (value) => `t.${column} = ${value}`,
});

/** The rows whose column has the id. */
export const ofId = (column: string, description: string): Filter => ({
  parameter: id(description),
  where: (value) => `t.${column} = ${value}::uuid`,
});

/** The rows with the text in an SQL expression; case and accents are ignored. */
export const contains = (sql: string, description: string, max = 100): Filter => ({
  parameter: freeText(description, { max }),
  where: (value) => `contains_typed(${sql}, ${value})`,
});

/** The parameter `extendMetadata`. */
export const extendMetadata = boolean('Adds `metadata`, the additional data of the import.');
