import type { AwaitedSubject, FeedMessage, FeedMessageState, RaceDayFeed } from '../api';
import { Badge, Card, Empty, Page, type Tone } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { type Column, Table } from '../pieces/table';
import { Tabs } from '../pieces/tabs';
import { Time } from '../pieces/time';
import { LIVE_MS } from '../queries';
import { useSession } from '../session/session';
import { useList } from '../session/use-get';
import { useTexts } from '../texts';
import { MessagesPerSecond } from './messages-per-second';
import { Subject } from './subject';
import { UnidentifiedMessages } from './unidentified-messages';

const TONES: Record<FeedMessageState, Tone> = { APPLIED: 'good', PENDING: 'busy', WAITING: 'warn' };

/** The race-day messages as they come in, and what waits for whom. */
export function FeedPage() {
  const { desk } = useTexts();
  useSession();
  const { data, error, refetch } = useList(['race-day-feed'], '/console/v1/race-day/feed', undefined, {
    refetchInterval: LIVE_MS,
  });
  return (
    <Page title={desk.title}>
      <Tabs of="desk" />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data && <Feed feed={data} />}
    </Page>
  );
}

function Feed({ feed }: { feed: RaceDayFeed }) {
  const { desk, participants, imports } = useTexts();
  const awaited: Column<AwaitedSubject>[] = [
    { key: 'whom', title: desk.waitsFor, main: true, cell: (subject) => <Subject {...subject} /> },
    { key: 'messages', title: desk.messages, number: true, cell: ({ messages }) => messages },
    { key: 'since', title: imports.since, cell: ({ since }) => <Time at={since} seconds /> },
  ];
  const latest: Column<FeedMessage>[] = [
    { key: 'whom', title: desk.subject, main: true, cell: (message) => <Subject {...message} /> },
    { key: 'what', title: desk.content, cell: (message) => <Content message={message} /> },
    {
      key: 'source',
      title: desk.source,
      cell: ({ source }) => participants.sources[source] ?? source,
    },
    {
      key: 'state',
      title: participants.status,
      cell: ({ state }) => <Badge tone={TONES[state]}>{desk.messageStates[state]}</Badge>,
    },
    { key: 'received', title: imports.created, cell: ({ receivedAt }) => <Time at={receivedAt} seconds /> },
  ];
  const { waiting } = feed;
  return (
    <>
      <Card title={desk.perSecond}>
        <MessagesPerSecond feed={feed} />
        <Counts feed={feed} />
      </Card>
      <TimingStatus timing={feed.timing} />
      {feed.timing.waiting > 0 && <UnidentifiedMessages />}
      {waiting.most.length > 0 && (
        <Card title={desk.waits}>
          <p className="dim">{desk.waitsHelp}</p>
          <Table
            caption={desk.waits}
            columns={awaited}
            rows={waiting.most}
            keyOf={({ bibNumber, participantId }) => `${bibNumber} ${participantId}`}
          />
        </Card>
      )}
      {feed.latest.length === 0 ? (
        <Empty title={desk.noMessages}>{desk.noMessagesAdvice}</Empty>
      ) : (
        <Card title={desk.latest}>
          <Table caption={desk.latest} columns={latest} rows={feed.latest} keyOf={({ id }) => id} />
        </Card>
      )}
    </>
  );
}

/** What became of the messages of the timing company. */
function TimingStatus({ timing }: { timing: RaceDayFeed['timing'] }) {
  const { desk, number } = useTexts();
  const { accepted, applied, pending, waiting, lagSeconds } = timing;
  const shown = [
    [desk.timingAccepted, number(accepted)],
    [desk.timingApplied, number(applied)],
    [desk.pendingMessages, number(pending)],
    [desk.timingUnidentified, number(waiting)],
    [desk.timingLag, desk.lagOf(number(Math.round(lagSeconds * 10) / 10))],
  ] as const;
  return (
    <Card title={desk.timing}>
      <dl className="counts">
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The server counts up to 10,000. */
const MOST = 10_000;

function Counts({ feed: { pending, waiting } }: { feed: RaceDayFeed }) {
  const { desk, number } = useTexts();
  const shown = [
    [desk.pendingMessages, pending],
    [desk.waitForBibs, waiting.forBibs],
    [desk.waitForParticipants, waiting.forParticipants],
  ] as const;
  return (
    <dl className="counts">
      {shown.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count >= MOST ? `${number(MOST)}+` : number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Content({ message: { setsBib, bibNumber, shippingStatus, hasFields } }: { message: FeedMessage }) {
  const { desk, participants } = useTexts();
  const parts = [
    setsBib && (bibNumber ? desk.setsBib : participants.saidNoBib),
    shippingStatus &&
      `${participants.saidShipping}: ${participants.shippingStates[shippingStatus] ?? shippingStatus}`,
    hasFields && desk.fields,
  ].filter(Boolean);
  return parts.join(', ') || <span className="dim">–</span>;
}
