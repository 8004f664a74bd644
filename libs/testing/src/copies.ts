/**
 * A SELECT of changed copies of rows, for an INSERT into their table. PostgreSQL calls `f` in `(f(row)).*` once for each
 * column; `OFFSET 0` makes it call once for each row.
 *
 * @param row the alias of the table in `from`
 * @param changes an expression of type jsonb: the columns that differ
 * @param from the FROM clause, with its conditions
 */
export const copiesOf = (row: string, changes: string, from: string): string => `
  SELECT (copy).* FROM (
    SELECT jsonb_populate_record(${row}, ${changes}) AS copy ${from} OFFSET 0
  ) copies`;
