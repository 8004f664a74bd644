import { Box, Checkbox, Group, Select, Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react';
import { type Column, Problem, Table, useDay } from '../../pieces';
import { useGet } from '../../session';
import { useTexts } from '../../texts';
import { type Point, pointsOf, RANGES, SOURCES, type Source, ticksOf } from './series';

const COLORS: Partial<Record<Source, string>> = { api: 'var(--busy)', dashboard: 'var(--warn)' };
const colorOf = (source: Source) => COLORS[source] ?? 'var(--accent)';

const HEIGHT = 220;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 8;
const OFTEN_MS = 60_000;

/** The entries by day: with the values of a day on the pointer or the keyboard, and all of them as a table. */
export function EntriesChart({ id, zone }: { id: string; zone: string }) {
  const { chart: words, events, zone: inZone } = useTexts();
  const [range, setRange] = useState<number>(90);
  const [source, setSource] = useState<Source>();
  const [cumulative, setCumulative] = useState(false);
  const { data, error } = useGet(
    ['occurrence', id, 'entries-by-day'],
    '/console/v1/event-occurrences/{id}/entries-by-day',
    { path: { id } },
    { refetchInterval: OFTEN_MS },
  );
  if (error && !data) return <Problem error={error} />;
  if (!data) return <Box h={330} />;
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format();
  const points = pointsOf(data, { range, cumulative, source, today });
  if (points.length === 0) return <p className="dim">{events.noSales}</p>;
  return (
    <Stack component="figure" gap={10}>
      <Group gap="8px 16px">
        <Select
          aria-label={words.range}
          size="xs"
          data={RANGES.map((days) => ({ value: String(days), label: words.ranges(days) }))}
          value={String(range)}
          onChange={(value) => setRange(Number(value))}
        />
        <Select
          aria-label={words.source}
          size="xs"
          data={[
            { value: '', label: words.all },
            ...SOURCES.map((each) => ({ value: each, label: words.sources[each] })),
          ]}
          value={source ?? ''}
          onChange={(value) => setSource((value || undefined) as Source | undefined)}
        />
        <Checkbox
          label={words.cumulative}
          checked={cumulative}
          onChange={({ target }) => setCumulative(target.checked)}
        />
      </Group>
      <Drawing points={points} cumulative={cumulative} previous={data.previous?.title} />
      <figcaption className="dim">{inZone(zone)}</figcaption>
      <Values points={points} previous={data.previous?.title} />
    </Stack>
  );
}

interface DrawingProps {
  points: Point[];
  cumulative: boolean;
  previous: string | undefined;
}

function Drawing({ points, cumulative, previous }: DrawingProps) {
  const { chart: words, number, events } = useTexts();
  const written = useDay();
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number>();
  const most = Math.max(...points.map(({ entries, previous: former }) => Math.max(entries, former ?? 0)));
  const ticks = ticksOf(most);
  const top = ticks.at(-1) ?? 1;
  const inner = Math.max(1, width - LEFT);
  const step = inner / points.length;
  // Days stand apart; a running total is one area.
  const gap = cumulative ? 0 : 0.1;
  const x = (index: number) => LEFT + index * step;
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const line = (value: (point: Point) => number) =>
    points
      .map((point, index) => `${index === 0 ? 'M' : 'L'}${x(index) + step / 2} ${y(value(point))}`)
      .join('');
  const shown = points[Math.min(chosen ?? points.length - 1, points.length - 1)];
  const labels = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(inner / 110))));
  const point = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const at = Math.floor((clientX - currentTarget.getBoundingClientRect().left - LEFT) / step);
    setChosen(Math.max(0, Math.min(points.length - 1, at)));
  };
  const press = (event: KeyboardEvent) => {
    const now = chosen ?? points.length - 1;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: points.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(points.length - 1, next)));
  };
  const of = (index: number) => points[index] as Point;
  const valueText = shown ? words.values(written(shown.day), shown.entries, cumulative) : '';
  return (
    <div ref={ref} className="chart">
      <p aria-hidden="true">
        <strong>{valueText}</strong>{' '}
        {shown && shown.entries > 0 && (
          <span className="dim">
            {SOURCES.filter((source) => shown.bySource[source] > 0)
              .map((source) => `${words.sources[source]} ${number(shown.bySource[source])}`)
              .join(' · ')}
          </span>
        )}{' '}
        {shown?.previous !== undefined && previous && (
          <span className="dim">· {words.before(previous, number(shown.previous))}</span>
        )}
      </p>
      {/* Values of a day are read with the arrow keys. */}
      <div
        role="slider"
        tabIndex={0}
        aria-label={events.sales}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={chosen ?? points.length - 1}
        aria-valuetext={valueText}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(undefined)}
        onKeyDown={press}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line stroke="var(--line)" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
                {number(tick)}
              </text>
            </g>
          ))}
          {points.map(({ day }, index) =>
            index % labels === 0 && x(index) + 60 < width ? (
              <text key={day} x={x(index)} y={HEIGHT - 6}>
                {written(day)}
              </text>
            ) : null,
          )}
          {chosen !== undefined && (
            <rect fill="var(--hover)" x={x(chosen)} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />
          )}
          {points.map((each, index) => {
            let below = 0;
            return SOURCES.map((name) => {
              const count = each.bySource[name];
              if (count === 0) return null;
              below += count;
              return (
                <rect
                  key={`${each.day} ${name}`}
                  data-source={name}
                  fill={colorOf(name)}
                  shapeRendering="crispEdges"
                  x={x(index) + step * gap}
                  y={y(below)}
                  width={Math.max(0.5, step * (1 - 2 * gap))}
                  height={y(below - count) - y(below)}
                />
              );
            });
          })}
          {of(0).previous !== undefined && (
            <path
              fill="none"
              stroke="var(--dim)"
              strokeWidth={1.5}
              strokeDasharray="4 3"
              d={line(({ previous: former }) => former ?? 0)}
            />
          )}
        </svg>
      </div>
      <Group component="ul" className="plain-list" gap="4px 16px" fz={13}>
        {SOURCES.filter((source) => points.some(({ bySource }) => bySource[source] > 0)).map((source) => (
          <li key={source} style={{ '--source': colorOf(source) } as CSSProperties}>
            {words.sources[source]}
          </li>
        ))}
        {previous && (
          <li style={{ '--source': 'var(--dim)' } as CSSProperties}>{words.previous(previous)}</li>
        )}
      </Group>
    </div>
  );
}

/** The same as the drawing, as a table. */
function Values({ points, previous }: Pick<DrawingProps, 'points' | 'previous'>) {
  const { chart: words, events, number } = useTexts();
  const written = useDay();
  const [open, setOpen] = useState(false);
  const counts = (key: string, title: string, of: (point: Point) => number) => ({
    ...{ key, title, number: true },
    cell: (point: Point) => number(of(point)),
  });
  const columns: Column<Point>[] = [
    { title: events.date, cell: ({ day }) => written(day) },
    counts('entries', words.entries, ({ entries }) => entries),
    ...SOURCES.map((source) => counts(source, words.sources[source], ({ bySource }) => bySource[source])),
    ...(previous ? [counts('previous', words.previous(previous), (point) => point.previous ?? 0)] : []),
  ];
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.table}</summary>
      {open && (
        <Box
          component="section"
          style={{ overflow: 'auto' }}
          mah={320}
          mt={8}
          tabIndex={0}
          aria-label={words.table}
        >
          <Table
            caption={events.sales}
            columns={columns}
            rows={points.toReversed()}
            keyOf={({ day }) => day}
          />
        </Box>
      )}
    </details>
  );
}
