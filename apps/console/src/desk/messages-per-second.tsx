import { Group } from '@mantine/core';
import type { RaceDayFeed } from '../api';
import { Time } from '../pieces';
import { useTexts } from '../texts';

const SECONDS = 300;
const NOW_SECONDS = 10;
const HEIGHT = 100;

/** A bar for each second of the last five minutes. The sentence below contains the figures. */
export function MessagesPerSecond({ feed: { at, countedSince, perSecond } }: { feed: RaceDayFeed }) {
  const { desk, number } = useTexts();
  const end = Math.floor(Date.parse(at) / 1_000);
  const bars = perSecond.map(({ second, messages }) => ({
    age: end - Math.floor(Date.parse(second) / 1_000),
    messages,
  }));
  const most = Math.max(0, ...bars.map(({ messages }) => messages));
  const total = bars.reduce((sum, { messages }) => sum + messages, 0);
  // The present second is not over yet.
  const recent = bars.filter(({ age }) => age >= 1 && age <= NOW_SECONDS);
  const now = recent.reduce((sum, { messages }) => sum + messages, 0) / NOW_SECONDS;
  return (
    <figure className="sales">
      <svg viewBox={`0 0 ${SECONDS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ age, messages }) => (
          <rect
            key={age}
            x={SECONDS - 1 - age}
            y={HEIGHT - (messages / most) * HEIGHT}
            width={0.9}
            height={(messages / most) * HEIGHT}
          />
        ))}
      </svg>
      <Group justify="space-between" c="dimmed" fz={12.5} my={6}>
        <span>{desk.fiveMinutesAgo}</span>
        <span>{desk.now}</span>
      </Group>
      <figcaption>
        {desk.rate(number(Math.round(now * 10) / 10), number(most), number(total))}{' '}
        <span className="dim">
          {desk.countedSince} <Time at={countedSince} seconds />
        </span>
      </figcaption>
    </figure>
  );
}
