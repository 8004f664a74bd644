import type { Type } from '@nestjs/common';
import type { Caller } from '#libs/access';

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;
/** The parsed parameters of a request. */
export type Values = Readonly<Record<string, unknown>>;
/** A part of a SELECT, which can depend on the request and the caller. */
export type Part = string | ((values: Values, bind: Bind, caller: Caller) => string);

/**
 * A resource of the API, read by one SELECT whose aliases are the property names. PostgreSQL writes the JSON; rows do not
 * become JavaScript objects.
 */
export interface Resource {
  /** The class of the shape. */
  schema: Type;
  /** The rows, aliased `t`: `tickets t`. */
  from: string;
  /** Joins for the select list; applied to the rows of the page only. */
  joins?: Part;
  /** `t.id AS "id", …`; may depend on parameters such as `features`. */
  select?: Part;
  /** The condition for rows of `from` that are such resources. */
  where?: string;
  /** The id in the API; `t.id` by default. */
  id?: string;
  /** Includes rows of all organizations, for the marketplace. */
  ofEveryOrganization?: boolean;
  /** Omits properties without a value, instead of `null`. */
  omitNulls?: boolean;
  /** The item as a JSON expression, if a select list is not enough. */
  json?: string;
  /** A property that only some items have, with its condition and value. */
  sometimes?: { name: string; when: string; value: string };
}

/** ISO 8601 in UTC, with microseconds and `Z`, as in every response. */
export const instant = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A `Price`; `null` if there is none. */
export const price = (value: string, currency: string): string =>
  `CASE WHEN ${value} IS NOT NULL THEN json_build_object('value', ${value}, 'currencyCode', ${currency}) END`;

const chosen = (part: Part | undefined, values: Values, bind: Bind, caller: Caller): string =>
  typeof part === 'function' ? part(values, bind, caller) : (part ?? '');

/** Converts rows aliased `t` to JSON text: the rest of the FROM clause, and the expression. */
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

/** Inserts the property into the text, because all rows of a SELECT have the same columns. */
const withSometimes = (json: string, sometimes: Resource['sometimes']): string =>
  sometimes
    ? `CASE WHEN ${sometimes.when}
        THEN '{"${sometimes.name}":' || to_json(${sometimes.value}) || ',' || substr(${json}, 2) ELSE ${json} END`
    : json;

/** The conditions on the rows of a resource. This is the only place that adds the organization. */
export const conditionsOf = (resource: Resource, organizationId: string, bind: Bind): string[] => [
  ...(resource.ofEveryOrganization ? [] : [`t.organization_id = ${bind(organizationId)}`]),
  ...(resource.where ? [resource.where] : []),
];
