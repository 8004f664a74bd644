import { Button } from '@mantine/core';
import { memo, type ReactNode, useDeferredValue } from 'react';
import { useTexts } from '../texts';
import { Icon } from './icons';

export interface Column<Row> {
  key: string;
  title: string;
  cell(row: Row): ReactNode;
  /** Numbers are right-aligned. */
  number?: boolean;
  /** On phones the column has no label. */
  main?: boolean;
  width?: 'narrow' | 'wide';
}

export interface TableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  /** Undefined while they load: as many empty rows reserve the space. */
  rows: Row[] | undefined;
  keyOf(row: Row): string;
  expected?: number;
  /** Below a row. */
  below?(row: Row): ReactNode;
}

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

const Rendered = memo(function Rendered({
  of: { caption, columns, rows, keyOf, expected = 8, below },
}: {
  of: TableProps<unknown>;
}) {
  return (
    <div className="table-frame">
      <table className="table" aria-busy={!rows}>
        <caption className="only-read">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, number, width }) => (
              <th key={key} scope="col" data-number={number || undefined} data-width={width}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => <Cells key={keyOf(row)} row={row} columns={columns} below={below?.(row)} />)
            : Array.from({ length: expected }, (_, i) => <Placeholder key={i} columns={columns} />)}
        </tbody>
      </table>
    </div>
  );
});

function Cells<Row>({ row, columns, below }: { row: Row; columns: Column<Row>[]; below: ReactNode }) {
  return (
    <>
      <tr>
        {columns.map(({ key, title, cell, number, main }) => (
          <td key={key} data-title={title} data-number={number || undefined} data-main={main || undefined}>
            <div>{cell(row)}</div>
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

const Placeholder = ({ columns }: { columns: { key: string }[] }) => (
  <tr>
    {columns.map(({ key }) => (
      <td key={key}>
        <span className="placeholder" />
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
    <nav className="pager" aria-label={table.nextPage}>
      <span className="dim">{total(page.totalResults)}</span>
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
    </nav>
  );
}
