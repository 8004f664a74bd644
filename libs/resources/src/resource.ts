import type { Type } from '@nestjs/common';
import type { Caller } from '#libs/access';

/** Puts a value into the statement and answers its placeholder. */
export type Bind = (value: unknown) => string;
/** A request's parameters, as read. */
export type Values = Readonly<Record<string, unknown>>;
/** A part of a SELECT, which may depend on the request and on who asks. */
export type Part = string | ((values: Values, bind: Bind, caller: Caller) => string);

/**
 * Something the API answers with, read by one SELECT whose aliases are the answer's properties. PostgreSQL
 * writes the JSON; no row becomes a JavaScript object.
 */
export interface Resource {
  /** The class that declares the answer's shape. */
  schema: Type;
  /** The rows, aliased `t`: `tickets t`. */
  from: string;
  /** What the select list needs beside `t`; applied to the rows of the page only. */
  joins?: Part;
  /** `t.id AS "id", …`; may depend on parameters such as `features`. */
  select?: Part;
  /** Which rows of `from` are such resources at all. */
  where?: string;
  /** The id that the API shows, `t.id` unless named. */
  id?: string;
  /** The rows of all organizations, as the marketplace shows them. */
  ofEveryOrganization?: boolean;
  /** Leaves properties without a value out, rather than null. */
  omitNulls?: boolean;
  /** The whole item as one JSON expression, where no select list can say it. */
  json?: string;
  /** A property that only some items have: which, by a condition, and its value. */
  sometimes?: { name: string; when: string; value: string };
}

/** ISO 8601 in UTC, with microseconds and `Z`, as every answer writes a moment. */
export const instant = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The contract's Price; null where there is none. */
export const price = (value: string, currency: string): string =>
  `CASE WHEN ${value} IS NOT NULL THEN json_build_object('value', ${value}, 'currencyCode', ${currency}) END`;

const chosen = (part: Part | undefined, values: Values, bind: Bind, caller: Caller): string =>
  typeof part === 'function' ? part(values, bind, caller) : (part ?? '');

/** What turns rows aliased `t` into JSON text: the FROM clause's rest, and the expression. */
export const rendering = (
  resource: Resource,
  values: Values,
  bind: Bind,
  caller: Caller,
): { joins: string; json: string } => {
  const joins = chosen(resource.joins, values, bind, caller);
  if (resource.json) return { joins, json: `(${resource.json})::text` };
  return {
    joins: `${joins} CROSS JOIN LATERAL (SELECT ${chosen(resource.select, values, bind, caller)}) item`,
    json: withSometimes(
      resource.omitNulls ? 'json_strip_nulls(row_to_json(item))::text' : 'row_to_json(item)::text',
      resource.sometimes,
    ),
  };
};

/** The property goes in front of the others, in the text: the rows of one SELECT all have the same columns. */
const withSometimes = (json: string, sometimes: Resource['sometimes']): string =>
  sometimes
    ? `CASE WHEN ${sometimes.when}
        THEN '{"${sometimes.name}":' || to_json(${sometimes.value}) || ',' || substr(${json}, 2) ELSE ${json} END`
    : json;

/** The conditions on a resource's rows; the tenant is among them here and nowhere else. */
export const conditionsOf = (resource: Resource, organizationId: string, bind: Bind): string[] => [
  ...(resource.ofEveryOrganization ? [] : [`t.organization_id = ${bind(organizationId)}`]),
  ...(resource.where ? [resource.where] : []),
];
