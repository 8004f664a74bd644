import { Select, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import { useTexts } from '../texts';
import type { Choice } from '../upload/use-occurrences';

/** What no longer fits when a filter changes. */
const NARROWER = {
  eventOccurrenceId: { raceId: null, ticketId: null },
  raceId: { ticketId: null },
  ticketId: {},
  status: {},
} as const;

/** Of the lists to choose from. */
export type FilterName = keyof typeof NARROWER;

interface FilterProps {
  name: FilterName;
  label: string;
  /** What it says while nothing is chosen. */
  any: string;
  data: Choice[];
  value: string | undefined;
  disabled?: boolean;
  set(changes: Partial<Record<FilterName, string | null>>): void;
}

/** Renders only if it changes itself: a choice in one of them is shown before the list is. */
export const Filter = memo(function Filter({ name, label, any, data, value, disabled, set }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      searchable={name !== 'status'}
      clearable
      disabled={disabled}
      data={data}
      limit={100}
      value={value ?? null}
      onChange={(chosen) => set({ ...NARROWER[name], [name]: chosen })}
    />
  );
});

interface TagFilterProps {
  tag?: string;
  onChange(tag: string): void;
}

/** Tags match exactly, so the filter applies when the tag is complete: on Enter or when the field loses focus. */
export function TagFilter({ tag = '', onChange }: TagFilterProps) {
  const { participants } = useTexts();
  const [typed, setTyped] = useState(tag);
  const apply = () => typed.trim() !== tag && onChange(typed.trim());
  return (
    <TextInput
      aria-label={participants.tag}
      placeholder={participants.anyTag}
      maxLength={255}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}
