import { useCallback, useMemo } from 'react';
import type { GridCell, GridChange } from '../../pieces';
import { useTexts } from '../../texts';
import { columnsOf, concernedBy } from './concerned';
import { corrected, type OpenRow, unreadIn } from './row-cells';
import type { useChanges } from './use-changes';
import type { Fields } from './use-fields';

/** What a dry run found of a row; null if it would be imported. */
export type Checked = ReadonlyMap<number, Pick<OpenRow, 'code' | 'message' | 'path'> | null>;

interface Table {
  rows: readonly OpenRow[];
  fields: Fields;
  edits: ReturnType<typeof useChanges>;
  checked: Checked;
  all: boolean;
}

/** Failed rows as a table: columns, cells with what is wrong, and what is sent of each row. */
export function useTable({ rows, fields, edits: { changes, set }, checked, all }: Table) {
  const { codes, upload } = useTexts();
  const { kind, lookups, titleOf, labelOf, choicesOf, meantBy } = fields;
  const changedPaths = useMemo(
    () => [...new Set(rows.flatMap(({ row }) => Object.keys(changes[row] ?? {})))].sort().join('\n'),
    [rows, changes],
  );
  const paths = useMemo(
    () => columnsOf(rows, kind, { all, changed: new Set(changedPaths.split('\n').filter(Boolean)) }),
    [rows, kind, all, changedPaths],
  );
  const columns = useMemo(() => paths.map((key) => ({ key, title: titleOf(key) })), [paths, titleOf]);
  /** Of a row that is changed, or could not be read: what it names may exist now. Kept as long as its changes are the same. */
  const resultOf = useMemo(() => {
    const known = new WeakMap<object, ReturnType<typeof corrected>>();
    return (open: OpenRow) => {
      const own = changes[open.row];
      if (!own && unreadIn(open.sent).length === 0) return undefined;
      const before = known.get(own ?? open);
      if (before) return before;
      const result = corrected(open, own ?? {}, kind, lookups);
      known.set(own ?? open, result);
      return result;
    };
  }, [changes, kind, lookups]);
  const textOf = useCallback(
    (open: OpenRow, path: string) => changes[open.row]?.[path] ?? open.cells[path] ?? '',
    [changes],
  );
  /** What is wrong with a row, and where: the place of none is the first column. */
  const errorOf = (open: OpenRow) => {
    const found = checked.get(open.row);
    if (found === null) return undefined;
    const error = { ...open, ...found };
    const places = concernedBy(error);
    return {
      ...error,
      isChecked: found !== undefined,
      places: places.length > 0 ? places : paths.slice(0, 1),
    };
  };
  const mistakeAt = (open: OpenRow, path: string) => {
    const result = resultOf(open);
    return result && 'mistakes' in result
      ? result.mistakes.find((each) => (each.path ?? paths[0]) === path)
      : undefined;
  };
  const cell = (at: number, path: string): GridCell => {
    const open = rows[at] as OpenRow;
    const isChanged = changes[open.row]?.[path] !== undefined;
    const mistake = mistakeAt(open, path);
    const error = errorOf(open);
    const isConcerned = error?.places.includes(path) && (!isChanged || error.isChecked);
    return {
      text: labelOf(path, textOf(open, path)),
      isChanged,
      ...(mistake
        ? { message: upload.findings.codes[mistake.code] }
        : isConcerned && { message: codes[error?.code ?? ''] ?? error?.code ?? '' }),
    };
  };
  const change = (given: readonly GridChange[]) =>
    set(
      given.flatMap(({ row: at, column: path, text }) => {
        const open = rows[at];
        if (!open?.sent) return [];
        const cells = { ...open.cells, ...changes[open.row] };
        const original = open.cells[path] ?? '';
        return [{ row: open.row, path, text: meantBy(path, text, cells), original }];
      }),
    );
  return {
    columns,
    cell,
    change,
    resultOf,
    errorOf,
    mistakeAt,
    textOf,
    choicesOf: (at: number, path: string) => {
      const open = rows[at] as OpenRow;
      return choicesOf(path, { ...open.cells, ...changes[open.row] });
    },
  };
}
