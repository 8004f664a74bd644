import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useList } from '../session';
import { useTexts } from '../texts';

const TYPING_MS = 250;
const SHOWN = 25;

interface PartnerSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** What the value is: in catalogue files, the name. */
  by: 'id' | 'name';
  value: string | null;
  onChange(value: string | null): void;
}

/** Finds a partner by a part of its name. */
export function PartnerSelect({ by, value, onChange, ...props }: PartnerSelectProps) {
  const { eventForm } = useTexts();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const [paused] = useDebouncedValue(typed.trim(), TYPING_MS);
  // A chosen name is no search.
  const search = paused === (chosen?.label ?? value) ? undefined : paused || undefined;
  const found = useList(
    ['partners', 'names', search],
    '/console/v1/partners',
    { query: { search, 'page[size]': SHOWN } },
    { staleTime: 60_000 },
  );
  const choices = new Map(
    (found.data?.data ?? []).map((each) => [each[by], { value: each[by], label: each.name }]),
  );
  if (value !== null && !choices.has(value))
    choices.set(value, chosen?.value === value ? chosen : { value, label: value });
  return (
    <Select
      {...props}
      searchable
      // The server has searched.
      filter={({ options }) => options}
      data={[...choices.values()]}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={eventForm.nothingToChoose}
      value={value}
      onChange={(next) => {
        setChosen(next === null ? undefined : choices.get(next));
        onChange(next);
      }}
    />
  );
}
