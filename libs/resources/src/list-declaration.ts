import type { Caller } from '#libs/access';
import { boolean, dateTime, type Parameter, type Parameters } from './parameters';
import type { Bind, Resource, Values } from './resource';

/** What a list may be ordered by; ties are broken by id, in the same direction. */
export interface Sort {
  /** An SQL expression that is never null. */
  sql: string | ((bind: Bind, values: Values) => string);
  type: 'timestamptz' | 'date' | 'integer' | 'double precision';
  /** The key moves when the row changes: the list then ends at the watermark. */
  moves?: boolean;
}

export interface Filter {
  parameter: Parameter<unknown>;
  /**
   * Its condition on rows aliased `t`: by the placeholder of what was given, or one for each value that may be given, where
   * a partial index is found by its own condition only.
   */
  where: ((value: string, bind: Bind) => string) | Readonly<Record<string, string>>;
  /** It is there only where the request's `features` name this. */
  feature?: string;
  /** It looks at `updatedAt`: without a sort the order is `updatedAt`, and the list ends at the watermark. */
  moves?: boolean;
}

/** How a list's paging parameters are called; the first spelling is current, others are deprecated. */
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

/** What a list is within. */
export interface Within {
  /** The column of the list's rows that holds what the path names. */
  column: string;
  /** The path's parameter; `id` unless named. */
  parameter?: string;
  /** The table that it is a row of: an empty list of something that is missing answers 404. */
  parent?: string;
  parentWhere?: string;
}

export interface ListDeclaration {
  /** Its stable name: a cursor of one list is no cursor of another. */
  name: string;
  /** The name of its envelope in the OpenAPI document. */
  schemaName: string;
  of: Resource;
  /** A list within something that the path names. */
  within?: Within;
  /** Further conditions; may use what the path names. */
  where?: string | ((bind: Bind, values: Values, caller: Caller) => string);
  order: Sort;
  /** Descending unless asked otherwise. */
  newestFirst?: boolean;
  /** `createdAt` and `updatedAt` columns: adds the contract's standard sorts and date filters. */
  times?: { createdAt: string; updatedAt: string };
  /** What the API calls the time in `order`: adds `sort[…]`, `…[after]` and `…[before]`. */
  moment?: string;
  filters?: Record<string, Filter>;
  /** Parameters that choose what an item shows, not which items there are. */
  shows?: Parameters;
  /** `all`: every item unless a size is asked for. */
  size?: { default: number | 'all'; max: number };
  paging?: Paging;
  /** `brief`: the marketplace's envelope. */
  envelope?: 'standard' | 'brief';
  /** The counter that counts the list without filters; absent: rows are counted. */
  counter?: string;
}

const timeFilter = (column: string, operator: '<' | '>', moves: boolean, verb?: string): Filter => ({
  parameter: dateTime(
    `Only items ${verb ?? (moves ? 'last changed' : 'created')} ${operator === '>' ? 'after' : 'before'} this time (exclusive).`,
    operator === '>' ? 'down' : 'up',
  ),
  where: (value) => `${column} ${operator} ${value}::timestamptz`,
  moves,
});

/** All filters of a list, the standard ones among them. */
export const filtersOf = ({ times, moment, order, filters }: ListDeclaration): Record<string, Filter> => ({
  ...(times && {
    'createdAt[after]': timeFilter(times.createdAt, '>', false),
    'createdAt[before]': timeFilter(times.createdAt, '<', false),
    'updatedAt[after]': timeFilter(times.updatedAt, '>', true),
    'updatedAt[before]': timeFilter(times.updatedAt, '<', true),
  }),
  ...(moment && {
    [`${moment}[after]`]: timeFilter(String(order.sql), '>', false, 'dated'),
    [`${moment}[before]`]: timeFilter(String(order.sql), '<', false, 'dated'),
  }),
  ...filters,
});

/** The contract's `extendMetadata`. */
export const extendMetadata = boolean('Adds `metadata`, the additional data of the import.');
