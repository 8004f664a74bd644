import type { ReactNode } from 'react';
import { Problem } from './problem';
import { Pager, type PagerProps, Table, type TableProps } from './table';

type ListProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  /** The query that reads the list. */
  of: {
    data: { data: Row[]; page?: PagerProps['page'] } | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    refetch?(): unknown;
  };
  /** Shows another page. Absent: the list has only one. */
  go?: PagerProps['go'];
  /** Shown instead of a list without rows. */
  empty?: ReactNode;
};

/** A list: why it can't be read, its rows, and the buttons to its other pages. */
export function List<Row>({ of, go, empty, ...table }: ListProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = of;
  const isEmpty = data?.data.length === 0 && empty !== undefined;
  return (
    <>
      {error && <Problem error={error} retry={refetch && (() => void refetch())} />}
      {isEmpty ? empty : (data || !error) && <Table {...table} rows={data?.data} stale={isPlaceholderData} />}
      {go && !isEmpty && <Pager page={data?.page} stale={isPlaceholderData} go={go} />}
    </>
  );
}
