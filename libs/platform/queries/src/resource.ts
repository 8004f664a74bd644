import type { Type } from '@nestjs/common';
import type { Caller } from '#platform/access';
import type { Column } from '#platform/database';
import { rowWriter, type WriteRow } from './json-row';

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;
/** The parsed parameters of a request. */
export type Values = Readonly<Record<string, unknown>>;
/** A part of a SELECT, which can depend on the request and the caller. */
export type Part = string | ((values: Values, bind: Bind, caller: Caller) => string);

/**
 * A resource of the API, read by one SELECT whose aliases are the property names (`json-row.ts`). Rows arrive as text, and
 * are written as JSON by the types of their columns; they do not become JavaScript objects.
 */
export interface Resource {
  /** The class of the shape. */
  schema: Type;
  /** The rows, aliased `t`: `tickets t`. */
  from: string;
  /** Joins for the select list; applied to the rows of the page only. */
  joins?: Part;
  /** `t.id AS "id", t.name AS "owner.name", …`; may depend on parameters such as `features`. */
  select?: Part;
  /** The condition for rows of `from` that are such resources. */
  where?: string;
  /**
   * The condition for rows that the caller can see, in addition to the organization; nothing for callers who see all of them. It is not counted
   * by counters.
   */
  limits?: (caller: Caller, bind: Bind) => string | undefined;
  /** The id in the API; `t.id` by default. */
  id?: string;
  /** Includes rows of all organizations, for the marketplace. */
  ofEveryOrganization?: boolean;
  /** Omits properties without a value, instead of `null`; those within JSON are the select list's matter. */
  omitNulls?: boolean;
  /** The item as a JSON expression, if a select list is not enough. */
  json?: Part;
}

/**
 * ISO 8601 in UTC, with microseconds and `Z`, as in every response. For times within JSON expressions only: a column that is
 * a time is written like this anyway.
 */
export const instant = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The columns of a `Price`; `null` if there is none. */
export const priceAs = (name: string, value: string, currency: string): string =>
  `${value} AS "${name}?.value", ${currency} AS "${name}?.currencyCode"`;

/** A `Price` within a JSON expression. */
export const price = (value: string, currency: string): string =>
  `CASE WHEN ${value} IS NOT NULL THEN json_build_object('value', ${value}, 'currencyCode', ${currency}) END`;

const chosen = (part: Part | undefined, values: Values, bind: Bind, caller: Caller): string =>
  typeof part === 'function' ? part(values, bind, caller) : (part ?? '');

/** The rest of the FROM clause for rows aliased `t`, and the select list. */
export const rendering = (
  resource: Resource,
  values: Values,
  bind: Bind,
  caller: Caller,
): { joins: string; select: string } => ({
  joins: chosen(resource.joins, values, bind, caller),
  select: resource.json
    ? `(${chosen(resource.json, values, bind, caller)})::text`
    : chosen(resource.select, values, bind, caller),
});

/** Writers by the columns of their statements, of which there are as many as declarations have variants. */
const writers = new Map<string, WriteRow>();
const lastWriters = new WeakMap<readonly Column[], { from: number; omitNulls: boolean; write: WriteRow }>();

/**
 * Writes the rows of a statement as JSON.
 *
 * @param from the columns before it don't belong to the select list
 */
export function writerOf(resource: Resource, columns: readonly Column[], from = 0): WriteRow {
  if (resource.json) return (row) => row[from] as string;
  const { omitNulls = false } = resource;
  // A connection has one list of columns for each of its statements.
  const last = lastWriters.get(columns);
  if (last?.from === from && last.omitNulls === omitNulls) return last.write;
  const key = `${from}${omitNulls}${columns.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join()}`;
  const write = writers.get(key) ?? rowWriter(columns, from, omitNulls);
  writers.set(key, write);
  lastWriters.set(columns, { from, omitNulls, write });
  return write;
}

/** Whether the caller sees only some rows of the resource. */
export const isLimited = ({ limits }: Resource, caller: Caller): boolean =>
  limits?.(caller, () => 'NULL') !== undefined;

/** The conditions on the rows of a resource. This is the only place that adds the organization. */
export const conditionsOf = (resource: Resource, caller: Caller, bind: Bind): string[] => {
  const limits = resource.limits?.(caller, bind);
  return [
    ...(resource.ofEveryOrganization ? [] : [`t.organization_id = ${bind(caller.organizationId)}`]),
    ...(resource.where ? [resource.where] : []),
    ...(limits ? [limits] : []),
  ];
};
