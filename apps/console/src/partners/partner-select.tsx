import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useGet, useList } from '../session';
import { useTexts } from '../texts';

const TYPING_MS = 250;
const SHOWN = 25;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface PartnerSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** The id. Catalogue files can have the name instead. */
  value: string | null;
  onChange(value: string | null): void;
}

const labelOf = (name: string, parent: string | null | undefined) => (parent ? `${name} (${parent})` : name);

function usePartner(id: string | null | undefined) {
  const path = { id: id ?? '' };
  return useGet(['partners', id], '/v0/partners/{id}', { path }, { enabled: Boolean(id) }).data;
}

/** Finds a partner or sub-partner by a part of its name. */
export function PartnerSelect({ value, onChange, ...props }: PartnerSelectProps) {
  const { eventForm } = useTexts();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const [paused] = useDebouncedValue(typed.trim(), TYPING_MS);
  const stored = usePartner(value !== chosen?.value && ID.test(value ?? '') ? value : null);
  const parent = usePartner(stored?.parentPartnerId);
  const own =
    chosen?.value === value
      ? chosen
      : value && { value, label: stored ? labelOf(stored.name, parent?.name) : value };
  // A chosen name is no search.
  const search = own && paused === own.label ? undefined : paused || undefined;
  const found = useList(
    ['partners', 'names', search],
    '/console/v1/partners',
    { query: { search, 'page[size]': SHOWN } },
    { staleTime: 60_000 },
  );
  const choices = new Map(
    (found.data?.data ?? []).map(({ id, name, parentName }) => [
      id,
      { value: id, label: labelOf(name, parentName) },
    ]),
  );
  if (own && !choices.has(own.value)) choices.set(own.value, own);
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
