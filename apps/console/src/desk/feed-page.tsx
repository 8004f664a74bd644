import type { AwaitedSubject, FeedMessage, FeedMessageState, RaceDayFeed } from '../api';
import {
  Badge,
  Card,
  type Column,
  Counts,
  Dash,
  Empty,
  Page,
  Problem,
  Table,
  Time,
  type Tone,
} from '../pieces';
import { LIVE_MS } from '../queries';
import { useList } from '../session';
import { useTexts } from '../texts';
import { MessagesPerSecond } from './messages-per-second';
import { Subject } from './subject';
import { UnidentifiedMessages } from './unidentified-messages';

const TONES: Record<FeedMessageState, Tone> = { APPLIED: 'good', PENDING: 'busy', WAITING: 'warn' };

/** The race-day messages as they come in, and what waits for whom. */
export function FeedPage() {
  const { data, error, refetch } = useList(['race-day-feed'], '/console/v1/race-day/feed', undefined, {
    refetchInterval: LIVE_MS,
  });
  return (
    <Page section="desk">
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data && <Feed feed={data} />}
    </Page>
  );
}

function Feed({ feed }: { feed: RaceDayFeed }) {
  const { desk, participants, imports, number } = useTexts();
  const awaited: Column<AwaitedSubject>[] = [
    { title: desk.waitsFor, main: true, cell: (subject) => <Subject {...subject} /> },
    { title: desk.messages, number: true, cell: ({ messages }) => messages },
    { title: imports.since, cell: ({ since }) => <Time at={since} seconds /> },
  ];
  const latest: Column<FeedMessage>[] = [
    { title: desk.subject, main: true, cell: (message) => <Subject {...message} /> },
    { title: desk.content, cell: (message) => <Content message={message} /> },
    { title: desk.source, cell: ({ source }) => participants.sources[source] ?? source },
    {
      title: participants.status,
      cell: ({ state }) => <Badge tone={TONES[state]}>{desk.messageStates[state]}</Badge>,
    },
    { title: imports.created, cell: ({ receivedAt }) => <Time at={receivedAt} seconds /> },
  ];
  const { waiting, pending } = feed;
  const most = (count: number) => (count < MOST ? count : `${number(MOST)}+`);
  return (
    <>
      <Card title={desk.perSecond}>
        <MessagesPerSecond feed={feed} />
        <Counts
          of={[
            [desk.pendingMessages, most(pending)],
            [desk.waitForBibs, most(waiting.forBibs)],
            [desk.waitForParticipants, most(waiting.forParticipants)],
          ]}
        />
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
          <Table caption={desk.latest} columns={latest} rows={feed.latest} />
        </Card>
      )}
    </>
  );
}

/** What became of the messages of the timing company. */
function TimingStatus({ timing }: { timing: RaceDayFeed['timing'] }) {
  const { desk, number } = useTexts();
  return (
    <Card title={desk.timing}>
      <Counts
        of={[
          [desk.timingAccepted, timing.accepted],
          [desk.timingApplied, timing.applied],
          [desk.pendingMessages, timing.pending],
          [desk.timingUnidentified, timing.waiting],
          [desk.timingLag, desk.lagOf(number(Math.round(timing.lagSeconds * 10) / 10))],
        ]}
      />
    </Card>
  );
}

/** The server counts up to 10,000. */
const MOST = 10_000;

function Content({ message: { setsBib, bibNumber, shippingStatus, hasFields } }: { message: FeedMessage }) {
  const { desk, participants } = useTexts();
  const parts = [
    setsBib && (bibNumber ? desk.setsBib : participants.saidNoBib),
    shippingStatus &&
      `${participants.saidShipping}: ${participants.shippingStates[shippingStatus] ?? shippingStatus}`,
    hasFields && desk.fields,
  ].filter(Boolean);
  return parts.join(', ') || <Dash />;
}
