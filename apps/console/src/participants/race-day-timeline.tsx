import { Group, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { compared, type RaceDayLogMessage, type StaffParticipant } from '../api';
import { Badge, Time } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';

interface RaceDayTimelineProps {
  person: StaffParticipant;
  labelOf(id: string): string;
}

const PAGE = 500;

/**
 * The messages about the race day, newest first, and whether each is in effect. The person comes with the newest ones; older ones
 * are read when asked for.
 */
export function RaceDayTimeline({ person, labelOf }: RaceDayTimelineProps) {
  const { participants } = useTexts();
  const { api, organizationId } = useSession();
  const { messages, messageCount, foldedMessages } = person.raceDayLog;
  const all = useInfiniteQuery({
    queryKey: [organizationId, 'participant', person.id, 'race-day-messages'],
    queryFn: ({ signal, pageParam }) =>
      api.get('/console/v1/participants/{id}/race-day-messages', {
        params: { path: { id: person.id }, query: { 'page[size]': PAGE, 'page[after]': pageParam } },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next || undefined,
    enabled: false,
  });
  const newest = new Set(messages.map(({ seq }) => seq));
  const older = (all.data?.pages ?? []).flatMap(({ data }) => data).filter(({ seq }) => !newest.has(seq));
  const shown = [...[...messages].reverse(), ...older];
  const showOlder = async () => {
    if (!all.data) await all.refetch();
    await all.fetchNextPage();
  };
  if (shown.length === 0) return <p className="dim">{participants.noLog}</p>;
  return (
    <ol className="timeline">
      {shown.map((message, i) => (
        <li key={message.seq}>
          <Group gap="4px 10px">
            <strong>{participants.sources[message.source] ?? message.source}</strong>
            <Verdict message={message} newer={shown.slice(0, i)} person={person} />
            <Time at={message.changedAt} zone={person.timeZone} seconds />
          </Group>
          <Said message={message} labelOf={labelOf} />
        </li>
      ))}
      {(all.data ? all.hasNextPage : messageCount > messages.length) && (
        <li>
          <UnstyledButton className="disclose" disabled={all.isFetching} onClick={showOlder}>
            {messageCount < MOST_COUNTED
              ? participants.showOlder(messageCount - shown.length)
              : participants.showAllOlder}
          </UnstyledButton>
        </li>
      )}
      {foldedMessages > 0 && <li className="dim">{participants.folded(foldedMessages)}</li>}
    </ol>
  );
}

/** `messageCount` stands for that many or more. */
const MOST_COUNTED = 10_000;

const saidBy = ({ setsBib, status, customFields }: RaceDayLogMessage): string[] => [
  ...(setsBib ? ['bib'] : []),
  ...(status ? ['shipping'] : []),
  ...(customFields ?? []).map(({ id }) => `field ${id}`),
];

interface VerdictProps {
  message: RaceDayLogMessage;
  newer: RaceDayLogMessage[];
  person: StaffParticipant;
}

/**
 * A message is in effect unless newer messages contain everything that it contains. A bib is in effect only while the
 * participant has it.
 */
function Verdict({ message, newer, person }: VerdictProps) {
  const { participants } = useTexts();
  if (message.state !== 'APPLIED')
    return <Badge tone="busy">{participants.states[message.state] ?? message.state}</Badge>;
  const later = new Set(newer.filter(({ state }) => state === 'APPLIED').flatMap(saidBy));
  const left = saidBy(message).filter((what) => !later.has(what));
  if (left.length === 0) return <Badge>{participants.overtaken}</Badge>;
  const lacks =
    message.bibNumber !== null && compared(message.bibNumber) !== compared(person.bibNumber ?? '');
  if (left.every((what) => what === 'bib') && lacks)
    return <Badge>{person.cancelled ? participants.ended : participants.heldByOther}</Badge>;
  return <Badge tone="good">{participants.shows}</Badge>;
}

function Said({ message, labelOf }: { message: RaceDayLogMessage; labelOf(id: string): string }) {
  const { participants } = useTexts();
  const { setsBib, bibNumber, status, carrier, trackingNumber, customFields, sentToBib } = message;
  return (
    <ul>
      {setsBib && <li>{bibNumber ? participants.saidBib(bibNumber) : participants.saidNoBib}</li>}
      {status && (
        <li>
          {participants.saidShipping}:{' '}
          {[participants.shippingStates[status] ?? status, carrier, trackingNumber]
            .filter(Boolean)
            .join(', ')}
        </li>
      )}
      {customFields?.map(({ id, value }) => (
        <li key={id}>
          {labelOf(id)}:{' '}
          {typeof value === 'boolean' ? (value ? participants.yes : participants.no) : written(value)}
        </li>
      ))}
      {sentToBib && <li className="dim">{participants.sentToBib(sentToBib)}</li>}
    </ul>
  );
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
