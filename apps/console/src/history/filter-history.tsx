import { Select, TextInput } from '@mantine/core';
import { useRef } from 'react';
import type { AuditEntryItem } from '../api';
import { useTexts } from '../texts';
import { useWho } from './sentences';

/** Who did it, and on which days of the browser’s time zone, such as `2026-04-26`. */
export interface HistoryFilter {
  actorId: string | null;
  from: string;
  until: string;
}

export const NO_FILTER: HistoryFilter = { actorId: null, from: '', until: '' };

const DAY_MS = 86_400_000;
/** Undefined for what is no day, such as in an address that was cut. */
const instantAt = (day: string, plusMs: number): string | undefined => {
  const start = new Date(`${day}T00:00`).getTime();
  return Number.isNaN(start) ? undefined : new Date(start + plusMs).toISOString();
};

/** The days as parameters. Both are exclusive. */
export const periodOf = ({ from, until }: Pick<HistoryFilter, 'from' | 'until'>) => ({
  'at[after]': instantAt(from, -1),
  'at[before]': instantAt(until, DAY_MS),
});

interface FilterHistoryProps {
  filter: HistoryFilter;
  onChange(filter: HistoryFilter): void;
  /** What is shown: its actors can be chosen. */
  items: AuditEntryItem[];
}

export function FilterHistory({ filter, onChange, items }: FilterHistoryProps) {
  const { history } = useTexts();
  const who = useWho();
  // Those of other filters stay, so that they can be chosen instead.
  const actors = useRef(new Map<string, string>());
  for (const item of items) if (item.actorId) actors.current.set(item.actorId, who(item));
  const data = [...actors.current].map(([value, label]) => ({ value, label }));
  if (filter.actorId && !actors.current.has(filter.actorId))
    data.push({ value: filter.actorId, label: filter.actorId.slice(-12) });
  return (
    <div className="filters">
      <Select
        aria-label={history.who}
        placeholder={history.anyone}
        clearable
        data={data}
        value={filter.actorId}
        onChange={(actorId) => onChange({ ...filter, actorId })}
      />
      {(['from', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          aria-label={history[name]}
          leftSection={<span className="dim">{history[name]}</span>}
          leftSectionWidth={52}
          value={filter[name]}
          onChange={({ target }) => onChange({ ...filter, [name]: target.value })}
        />
      ))}
    </div>
  );
}
