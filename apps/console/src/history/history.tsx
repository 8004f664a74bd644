import { Box, Button, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntryItem } from '../api';
import { Card, Problem, Time } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { FilterHistory, type HistoryFilter, NO_FILTER, periodOf } from './filter-history';
import { Changes, useSentences, useWho } from './sentences';

const PAGE = 20;
const OFTEN_MS = 5_000;

interface HistoryProps {
  /** The id of the record. */
  subject: string;
  /** The time zone of the event, for records of an event. */
  zone?: string;
}

/** Who did what to a record, and when. Roles that can't read the audit log don't see it. */
export function History(props: HistoryProps) {
  const { may } = useSession();
  return may('OWNER', 'MANAGER') && <Shown {...props} />;
}

function Shown({ subject, zone }: HistoryProps) {
  const { history } = useTexts();
  const { api, organizationId } = useSession();
  const [filter, setFilter] = useState<HistoryFilter>(NO_FILTER);
  const query = { subjectId: subject, actorId: filter.actorId ?? undefined, ...periodOf(filter) };
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [organizationId, 'history', query],
    queryFn: ({ signal, pageParam }) =>
      api.get('/console/v1/history', {
        params: { query: { ...query, 'page[size]': PAGE, 'page[after]': pageParam } },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next || undefined,
    refetchInterval: OFTEN_MS,
    placeholderData: keepPreviousData,
  });
  const items = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Card title={history.title}>
      <FilterHistory filter={filter} onChange={setFilter} items={items} />
      {error && <Problem error={error} />}
      {data && items.length === 0 && (
        <p className="dim">{filter === NO_FILTER ? history.none : history.noneMatch}</p>
      )}
      <ol className="timeline" aria-label={history.title}>
        {items.map((item) => (
          <Entry key={item.id} item={item} zone={zone} />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {history.showOlder}
        </Button>
      )}
    </Card>
  );
}

function Entry({ item, zone }: { item: AuditEntryItem; zone: string | undefined }) {
  const who = useWho();
  const sentence = useSentences();
  return (
    <li>
      <Group gap="4px 10px">
        <Box component="span" flex="1 1 260px" miw={0}>
          <strong>{who(item)}</strong> {sentence(item)}
        </Box>
        <Time at={item.at} zone={zone} seconds />
      </Group>
      <Changes item={item} />
    </li>
  );
}
