import { isDeepStrictEqual } from 'node:util';
import { instantOf } from '#platform/validation';
import { type Problem, problem } from './outcomes';

/**
 * A value of a row for a column: its path in the row, the column, and the value; undefined keeps the stored value. The path is null if
 * the column follows from other properties of the row, which have paths of their own.
 */
export type Given<Row> = [path: string | null, column: keyof Row & string, value: unknown];

/** The stored row with the changes of the given row, the columns that change, and the paths that differ. */
export interface Corrected<Row> {
  row: Row;
  columns: (keyof Row & string)[];
  differs: string[];
}

/** A time of a row as it is stored; absent and `null` stay. */
export const instantIfGiven = (time: string | null | undefined) => (time ? instantOf(time) : time);

export function corrected<Row extends object>(stored: Row, given: Given<Row>[]): Corrected<Row> {
  const changes = given.filter(
    ([, column, value]) => value !== undefined && !isDeepStrictEqual(value, stored[column]),
  );
  return {
    row: { ...stored, ...Object.fromEntries(changes.map(([, column, value]) => [column, value])) },
    columns: changes.map(([, column]) => column),
    differs: [...new Set(changes.flatMap(([path]) => path ?? []))],
  };
}

/** The rows, and the columns that change in any of them: for `updateRows`. */
export const changesOf = <Row>(corrected: readonly Corrected<Row>[]) =>
  [
    corrected.map(({ row }) => row),
    [...new Set(corrected.flatMap(({ columns }) => columns))] as (keyof Row & string)[],
  ] as const;

/** A difference that cannot be corrected. */
export const cannot = (path: string, why: string): Problem =>
  problem(path, 'NOT_CORRECTABLE', `can't be corrected: ${why}`);
