import { Box } from '@mantine/core';
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { cellsOfBlock } from './block';
import { CellEditor, type Choice } from './cell-editor';
import { useWindow } from './use-window';

export interface GridColumn {
  key: string;
  title: string;
}

export interface GridCell {
  /** As it is shown. */
  text: string;
  /** What is wrong with it, in a few words. */
  message?: string;
  isChanged?: boolean;
}

export interface GridChange {
  row: number;
  column: string;
  text: string;
}

interface GridProps {
  label: string;
  /** The title of the first column, which names the row. */
  head: string;
  columns: readonly GridColumn[];
  count: number;
  /** By the place of the row, from 0. */
  keyOf(row: number): string | number;
  nameOf(row: number): string;
  cell(row: number, column: string): GridCell;
  /** The text that an editor starts with. */
  textOf(row: number, column: string): string;
  /** The values that a cell can have; any text if undefined. */
  choicesOf(row: number, column: string): Choice[] | undefined;
  /** Absent: nothing can be changed. */
  onChange?(changes: GridChange[]): void;
  onActive?(row: number, column: string): void;
}

interface Place {
  row: number;
  at: number;
}

/**
 * A table like a spreadsheet: arrow keys move, Enter and typing edit, Escape ends it unchanged, Tab goes on to the right, and a block of
 * cells can be pasted. Only visible rows are rendered. The grid has the focus and names its active cell, which may be out of view.
 */
export function Grid(props: GridProps) {
  const { label, head, columns, count, keyOf, nameOf, cell, textOf, choicesOf, onChange, onActive } = props;
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  /** Whether the grid had the focus before the pointer gave it. */
  const hadFocus = useRef(false);
  const { frame, first, end, height, show } = useWindow(count);
  /** The nearest cell that there is. */
  const cellAt = (nearRow: number, nearAt: number) => {
    const row = Math.max(0, Math.min(nearRow, count - 1));
    const at = Math.max(0, Math.min(nearAt, columns.length - 1));
    return { row, at, key: keyOf(row), column: columns[at]?.key ?? '' };
  };
  const [chosen, setChosen] = useState(() => cellAt(0, 0));
  const [draft, setDraft] = useState<string>();
  let active = cellAt(chosen.row, chosen.at);
  // Rows leave the table and return while it is used, and columns with them. What is typed stays with its row, or ends with it.
  if (active.key !== chosen.key || active.column !== chosen.column) {
    const row = Array.from({ length: count }, (_, each) => keyOf(each)).indexOf(chosen.key);
    const at = columns.findIndex(({ key }) => key === chosen.column);
    if (row >= 0 && at >= 0) active = cellAt(row, at);
    else setDraft(undefined);
    setChosen(active);
  }
  const { column } = active;
  const isEditing = draft !== undefined;
  const go = (row: number, at: number) => {
    const place = cellAt(row, at);
    setChosen(place);
    setDraft(undefined);
    show(place.row);
    table.current
      ?.querySelector(`[data-at="${place.at}"]`)
      ?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
    onActive?.(place.row, place.column);
  };
  const edit = (text = textOf(active.row, column)) => onChange && setDraft(text);
  /** Ends editing, and gives the focus back. */
  const leave = (move?: Place) => {
    setDraft(undefined);
    table.current?.focus({ preventScroll: true });
    if (move) go(move.row, move.at);
  };
  const commit = (text: string, move?: Place) => {
    if (text !== textOf(active.row, column)) onChange?.([{ row: active.row, column, text }]);
    leave(move);
  };
  const moves: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-10, 0],
    PageDown: [10, 0],
    Home: [0, -columns.length],
    End: [0, columns.length],
  };
  const press = (event: KeyboardEvent) => {
    if (isEditing || event.altKey) return;
    const { key, ctrlKey, metaKey } = event;
    const move = moves[key];
    const command = ctrlKey || metaKey;
    if (move) {
      const toEnd = command && (key === 'Home' || key === 'End' || key === 'ArrowUp' || key === 'ArrowDown');
      go(
        active.row + (toEnd ? (key === 'Home' || key === 'ArrowUp' ? -count : count) : move[0]),
        active.at + move[1],
      );
    } else if (command) return;
    else if (key === 'Enter' || key === 'F2') edit();
    else if (key === 'Delete' || key === 'Backspace') onChange?.([{ row: active.row, column, text: '' }]);
    else if (key.length === 1 && key !== ' ') edit(key);
    else return;
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent) => {
    if (isEditing || !onChange) return;
    event.preventDefault();
    const block = cellsOfBlock(event.clipboardData.getData('text/plain'));
    onChange(
      block.slice(0, count - active.row).flatMap((texts, down) =>
        texts.slice(0, columns.length - active.at).map((text, right) => ({
          row: active.row + down,
          column: columns[active.at + right]?.key ?? '',
          text: text.trim(),
        })),
      ),
    );
  };
  const copy = (event: ClipboardEvent) => {
    if (isEditing) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', cell(active.row, column).text);
  };
  const click = (event: MouseEvent, row: number, at: number) => {
    if (isEditing && row === active.row && at === active.at) return;
    const again = row === active.row && at === active.at && hadFocus.current;
    go(row, at);
    table.current?.focus({ preventScroll: true });
    const key = columns[at]?.key ?? '';
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    if (onChange && (again || isTouch || choicesOf(row, key))) setDraft(textOf(row, key));
  };
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  const cellId = (row: number, at: number) => `${id}-${row}-${at}`;
  const isShown = active.row >= first && active.row < end;
  return (
    <Box
      ref={frame}
      className="grid-frame"
      mah="min(70vh, 720px)"
      bd="1px solid var(--line)"
      bdrs={8}
      bg="var(--surface)"
      style={{ overflow: 'auto' }}
    >
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells are used
        role="grid"
        className="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={isShown && !isEditing ? cellId(active.row, active.at) : undefined}
        aria-readonly={!onChange || undefined}
        tabIndex={0}
        style={{ '--columns': columns.length } as CSSProperties}
        onKeyDown={press}
        onMouseDown={() => {
          hadFocus.current = document.activeElement === table.current;
        }}
        onPaste={paste}
        onCopy={copy}
        onFocus={({ target }) => target === table.current && onActive?.(active.row, column)}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{head}</th>
            {columns.map(({ key, title }, at) => (
              <th key={key} scope="col" aria-colindex={at + 2} title={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} height={height} />
          {shown.map((row) => (
            <tr key={keyOf(row)} data-row aria-rowindex={row + 2}>
              <th scope="row">{nameOf(row)}</th>
              {columns.map(({ key, title }, at) => {
                const isActive = row === active.row && at === active.at;
                const { text, message, isChanged } = cell(row, key);
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the grid
                  <td
                    key={key}
                    id={cellId(row, at)}
                    data-at={at}
                    data-title={title}
                    data-bad={message ? true : undefined}
                    data-changed={isChanged || undefined}
                    data-active={isActive || undefined}
                    aria-colindex={at + 2}
                    aria-invalid={message ? true : undefined}
                    onClick={(event) => click(event, row, at)}
                  >
                    {isActive && draft !== undefined ? (
                      <CellEditor
                        label={`${title}, ${nameOf(row)}`}
                        text={draft}
                        choices={choicesOf(row, key)}
                        onText={setDraft}
                        onCommit={(value, by) =>
                          commit(
                            value,
                            by === 'Enter'
                              ? { row: row + 1, at }
                              : by === 'Tab'
                                ? { row, at: at + 1 }
                                : by === 'ShiftTab'
                                  ? { row, at: at - 1 }
                                  : undefined,
                          )
                        }
                        onCancel={() => leave()}
                      />
                    ) : (
                      <span className="grid-text" title={text}>
                        {text || '–'}
                      </span>
                    )}
                    {message && (
                      <span className="grid-message" title={message}>
                        {message}
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
          <Space rows={count - end} height={height} />
        </tbody>
      </table>
    </Box>
  );
}

/** In place of rows that are not rendered. */
const Space = ({ rows, height }: { rows: number; height: number }) =>
  rows > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no cell that could have the focus
    <tr aria-hidden="true" className="grid-space" style={{ height: rows * height }} />
  );
