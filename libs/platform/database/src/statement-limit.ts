/**
 * SQL: limits each statement of a transaction to `ms`, and never beyond the limit of the connection: its client waits a second longer than
 * that (`clientOptions`), so no statement goes on after its client has given up.
 */
export const limitStatements = (
  ms: string,
): string => `set_config('statement_timeout', coalesce(least(${ms}::numeric,
        nullif(extract(epoch FROM current_setting('statement_timeout')::interval), 0) * 1000), 0)::int::text, true)`;
