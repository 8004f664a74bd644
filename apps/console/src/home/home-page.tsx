import { Box, NavLink, type NavLinkProps, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { AttentionItem, EventToCome } from '../api';
import { Capacity } from '../events/capacity';
import { Sales } from '../events/sales';
import { Card, type Column, Icon, List, Page, Problem, Time, useDay } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { FirstSteps } from './first-steps';

const OFTEN_MS = 10_000;
const SELDOM_MS = 60_000;

/** What needs a hand, the entries of the last 30 days and the next events. */
export function HomePage() {
  const { home } = useTexts();
  const { may } = useSession();
  const attention = useGet(['attention'], '/console/v1/attention', undefined, { refetchInterval: OFTEN_MS });
  const overview = useGet(['home'], '/console/v1/home', undefined, { refetchInterval: SELDOM_MS });
  return (
    <Page title={home.title}>
      {overview.data?.days.length === 0 && may('OWNER', 'MANAGER') && <FirstSteps />}
      <Card title={home.attention}>
        {attention.error && <Problem error={attention.error} retry={() => void attention.refetch()} />}
        {attention.data && <Todo items={attention.data.data} />}
      </Card>
      <Card title={home.entries}>
        {overview.error && <Problem error={overview.error} retry={() => void overview.refetch()} />}
        {overview.data && <Sales sales={overview.data.days} zone="UTC" />}
      </Card>
      <NextEvents of={overview} />
    </Page>
  );
}

/** The page that deals with it. */
const pageOf = ({ kind, id, eventOccurrenceId }: AttentionItem): string => {
  switch (kind) {
    case 'IMPORT_FAILURES':
    case 'IMPORT_WARNINGS':
    case 'IMPORT_WAITING':
      return `/imports/${id}`;
    case 'ENDPOINT_FAILING':
    case 'ENDPOINT_DISABLED':
      return '/developers/webhooks';
    case 'RACE_NEARLY_FULL':
    case 'RACE_OVERBOOKED':
      return `/events/${id}`;
    case 'APPLICATIONS':
      return `/applications?eventOccurrenceId=${eventOccurrenceId}&ticketId=${id}`;
    default:
      return '/desk/feed';
  }
};

const URGENT: AttentionItem['kind'][] = ['ENDPOINT_DISABLED', 'RACE_OVERBOOKED', 'FEED_LAG'];

function Todo({ items }: { items: AttentionItem[] }) {
  const { home, imports } = useTexts();
  const { opens } = useSession();
  if (items.length === 0) return <p className="dim">{home.nothing}</p>;
  const textOf = (item: AttentionItem): string => {
    const { kind, count, total } = item;
    const title = (kind.startsWith('IMPORT_') && imports.surfaces[item.title as never]) || item.title || '';
    return home.kinds[kind]({ ...item, title, count, total: total ?? 0 });
  };
  return (
    <Stack component="ul" gap={0} mx={-8} className="plain-list">
      {items.map((item) => {
        const opened = item.id !== null || opens('/desk/feed') ? pageOf(item) : undefined;
        const line: NavLinkProps = {
          label: <strong>{textOf(item)}</strong>,
          description: (item.eventTitle || item.since) && (
            <>
              {item.eventTitle}
              {item.eventTitle && item.since && ' · '}
              {item.since && <Time at={item.since} />}
            </>
          ),
          leftSection: (
            <Box component="span" c={URGENT.includes(item.kind) ? 'var(--bad)' : 'var(--warn)'}>
              <Icon name="warning" />
            </Box>
          ),
        };
        return (
          <li key={`${item.kind} ${item.id} ${item.title}`}>
            {opened ? (
              <NavLink component={Link} to={opened} rightSection={<Icon name="right" />} {...line} />
            ) : (
              <NavLink component="span" {...line} />
            )}
          </li>
        );
      })}
    </Stack>
  );
}

function NextEvents({
  of,
}: {
  of: { data?: { events: EventToCome[] }; error: Error | null; refetch(): unknown };
}) {
  const { home, events, participants } = useTexts();
  const written = useDay();
  const columns: Column<EventToCome>[] = [
    {
      title: participants.event,
      main: true,
      cell: ({ id, title }) => (
        <Link className="row-link" to={`/events/${id}`}>
          {title}
        </Link>
      ),
    },
    { title: events.date, cell: ({ startDate }) => written(startDate) },
    { title: events.place, cell: ({ city }) => city },
    {
      title: events.capacity,
      width: 'wide',
      cell: ({ entries, places }) => <Capacity usedCapacity={entries} maxCapacity={places} />,
    },
  ];
  const { data, refetch } = of;
  return (
    <Card title={home.events}>
      <List
        of={{ data: data && { data: data.events }, error: null, isPlaceholderData: false, refetch }}
        caption={home.events}
        columns={columns}
        expected={5}
        empty={<p className="dim">{home.noEvents}</p>}
      />
    </Card>
  );
}
