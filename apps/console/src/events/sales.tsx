import { Group } from '@mantine/core';
import { useDay } from '../pieces';
import { useTexts } from '../texts';

interface Day {
  day: string;
  entries: number;
}

const DAY_MS = 86_400_000;
const HEIGHT = 100;

/** Every day from the first to the last, including days without entries. */
function everyDay(sales: Day[]): Day[] {
  const [first] = sales;
  const last = sales.at(-1);
  if (!first || !last) return [];
  const known = new Map(sales.map(({ day, entries }) => [day, entries]));
  const count = Math.round((Date.parse(last.day) - Date.parse(first.day)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.parse(first.day) + i * DAY_MS).toISOString().slice(0, 10);
    return { day, entries: known.get(day) ?? 0 };
  });
}

/** A bar chart of entries by day. The sentence below it has the same information as text. */
export function Sales({ sales, zone }: { sales: Day[]; zone: string }) {
  const { events, number, zone: inZone } = useTexts();
  const written = useDay();
  const days = everyDay(sales);
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return <p className="dim">{events.noSales}</p>;
  const most = Math.max(...days.map(({ entries }) => entries));
  const total = days.reduce((sum, { entries }) => sum + entries, 0);
  const best = days.find(({ entries }) => entries === most) ?? last;
  return (
    <figure className="sales">
      <svg viewBox={`0 0 ${days.length * 10} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, entries }, i) => {
          const height = entries === 0 ? 0 : Math.max(1, (entries / most) * HEIGHT);
          return (
            <rect key={day} x={i * 10 + 1} y={HEIGHT - height} width={8} height={height}>
              <title>{`${written(day)}: ${number(entries)}`}</title>
            </rect>
          );
        })}
      </svg>
      <Group justify="space-between" c="dimmed" fz={12.5} my={6}>
        <span>{written(first.day)}</span>
        <span>{written(last.day)}</span>
      </Group>
      <figcaption>
        {events.salesText(total, written(first.day), written(last.day), most, written(best.day))}{' '}
        <span className="dim">{inZone(zone)}</span>
      </figcaption>
    </figure>
  );
}
