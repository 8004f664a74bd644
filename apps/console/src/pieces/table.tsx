import { Box, Button, Group, NativeSelect, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode, useDeferredValue } from 'react';
import { useTexts } from '../texts';
import { Dash } from './dash';
import { Icon } from './icons';

export interface Column<Row> {
  /** No other column of the table has it. */
  title: string;
  /** Nothing shows as a dash. */
  cell(row: Row): ReactNode;
  /** Numbers are right-aligned. */
  number?: boolean;
  /** On phones the column has no label. */
  main?: boolean;
  width?: 'narrow' | 'wide';
  sorts?: readonly SortOption[];
}

/** An order that the list can have by a column. */
export interface SortOption {
  by: string;
  title: string;
  /** Downwards first. */
  down?: boolean;
}

/** The order of a list: by a column, upwards or downwards. */
export interface Order {
  by: string;
  up: boolean;
}

interface Parts<Row> {
  caption: string;
  columns: Column<Row>[];
  /** Undefined while they load: as many empty rows reserve the space. */
  rows: Row[] | undefined;
  expected?: number;
  order?: Order;
  onOrder?(order: Order): void;
  /** Each row in one line, and the header stays in view. */
  dense?: boolean;
  /** The rows are those of before, such as of the last search: nothing of them can be clicked. */
  stale?: boolean;
  /** Below a row. */
  below?(row: Row): ReactNode;
}

/** What tells rows apart: their ids, if they have them. */
type Keyed<Row> = [Row] extends [{ id: string }] ? { keyOf?(row: Row): string } : { keyOf(row: Row): string };

export type TableProps<Row> = Parts<Row> & Keyed<Row>;

/**
 * A list. On a narrow screen each row becomes a card. Rows render after what caused them has been painted, so that typing,
 * turning pages and going from part to part stay quick. Until then, as many empty rows keep the height.
 */
export function Table<Row>(props: TableProps<Row>) {
  const of = props as unknown as TableProps<unknown>;
  const { rows, expected } = of;
  const empty = { ...of, rows: undefined, expected: rows?.length ?? expected };
  return <Rendered of={useDeferredValue(of, empty)} />;
}

const idOf = (row: unknown) => (row as { id: string }).id;

const Rendered = memo(function Rendered({
  of: { caption, columns, rows, keyOf = idOf, expected = 8, order, onOrder, dense, stale, below },
}: {
  of: TableProps<unknown>;
}) {
  return (
    <>
      {order && onOrder && <OrderSelect columns={columns} order={order} onOrder={onOrder} />}
      <div className="table-frame" data-dense={dense || undefined}>
        <table className="table" aria-busy={!rows || stale === true}>
          <VisuallyHidden component="caption">{caption}</VisuallyHidden>
          <thead>
            <tr>
              {columns.map(({ title, number, width, sorts }) => (
                <th
                  key={title}
                  scope="col"
                  data-number={number || undefined}
                  data-width={width}
                  aria-sort={
                    order && sorts?.some(({ by }) => by === order.by)
                      ? order.up
                        ? 'ascending'
                        : 'descending'
                      : undefined
                  }
                >
                  {sorts && onOrder
                    ? sorts.map(({ by, title: name, down = false }) => (
                        <UnstyledButton
                          key={by}
                          className="sort"
                          fz="inherit"
                          data-sorted={by === order?.by || undefined}
                          onClick={() => onOrder({ by, up: by === order?.by ? !order.up : !down })}
                        >
                          {name}
                        </UnstyledButton>
                      ))
                    : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody inert={stale} onMouseOver={showWhole} onFocus={showWhole}>
            {rows
              ? rows.map((row) => <Cells key={keyOf(row)} row={row} columns={columns} below={below?.(row)} />)
              : Array.from({ length: expected }, (_, i) => <Placeholder key={i} columns={columns} />)}
          </tbody>
        </table>
      </div>
    </>
  );
});

/** On a narrow screen, where a list has no header. */
function OrderSelect({
  columns,
  order,
  onOrder,
}: Required<Pick<TableProps<unknown>, 'columns' | 'order' | 'onOrder'>>) {
  const { table } = useTexts();
  return (
    <NativeSelect
      className="table-order"
      aria-label={table.order}
      value={writtenOrder(order)}
      onChange={({ target }) => onOrder(readOrder(target.value))}
      data={columns.flatMap(({ sorts = [] }) =>
        sorts.flatMap(({ by, title }) => [
          { value: writtenOrder({ by, up: true }), label: table.ascending(title) },
          { value: writtenOrder({ by, up: false }), label: table.descending(title) },
        ]),
      )}
    />
  );
}

/** As in addresses: the name of the order, after `-` if it goes downwards. */
export const writtenOrder = ({ by, up }: Order): string => `${up ? '' : '-'}${by}`;
export const readOrder = (text: string): Order => ({ by: text.replace(/^-/, ''), up: !text.startsWith('-') });

/** What was cut off shows under the pointer. The link of a row lies above all of its cells. */
function showWhole({ target }: { target: EventTarget }) {
  if (!(target instanceof HTMLElement)) return;
  const row = target.matches('.row-link') ? target.closest('tr') : null;
  // Such as the whole id of a button that copies it.
  if (target.title && !row) return;
  const parts = row ? [...row.querySelectorAll<HTMLElement>('.row-link, td > div')] : [target];
  const cut = parts.filter(
    (each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1,
  );
  if (cut.length > 0) target.title = cut.map((each) => each.innerText).join('\n');
}

function Cells<Row>({ row, columns, below }: { row: Row; columns: Column<Row>[]; below: ReactNode }) {
  return (
    <>
      <tr>
        {columns.map(({ title, cell, number, main }) => (
          <td key={title} data-title={title} data-number={number || undefined} data-main={main || undefined}>
            <div>{cell(row) ?? <Dash />}</div>
          </td>
        ))}
      </tr>
      {below && (
        <tr className="table-below">
          <td colSpan={columns.length}>{below}</td>
        </tr>
      )}
    </>
  );
}

const Placeholder = ({ columns }: { columns: { title: string }[] }) => (
  <tr>
    {columns.map(({ title }) => (
      <td key={title}>
        <Skeleton animate={false} h={10} w="70%" />
      </td>
    ))}
  </tr>
);

export interface PagerProps {
  page: { next: string; prev: string; totalResults: number } | undefined;
  /** The rows of other filters still show, and their cursors do not fit the new list. The buttons keep the focus. */
  stale: boolean;
  go(cursor: { after?: string; before?: string }): void;
}

export function Pager({ page, stale, go }: PagerProps) {
  const { table, total } = useTexts();
  if (!page || page.totalResults === 0) return null;
  return (
    <Group component="nav" className="pager" gap={8} mt={-8} mih={30} aria-label={table.nextPage}>
      <Box component="span" c="dimmed" mr="auto">
        {total(page.totalResults)}
      </Box>
      {(page.prev || page.next) && (
        <>
          <Button
            variant="default"
            size="xs"
            disabled={!page.prev}
            aria-disabled={stale || undefined}
            aria-label={table.previousPage}
            onClick={() => !stale && go({ before: page.prev })}
          >
            <Icon name="left" />
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={!page.next}
            aria-disabled={stale || undefined}
            aria-label={table.nextPage}
            onClick={() => !stale && go({ after: page.next })}
          >
            <Icon name="right" />
          </Button>
        </>
      )}
    </Group>
  );
}
