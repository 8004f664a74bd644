import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useGet, useList } from '../session';
import { useTexts } from '../texts';

const TYPING_MS = 200;
const SHOWN = 50;

interface KeyPartnerProps {
  value: string | null;
  onChange(partnerId: string | null): void;
}

/** The partner that a new key belongs to, found by name. */
export function KeyPartner({ value, onChange }: KeyPartnerProps) {
  const { partner } = useTexts();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  // The name of the chosen partner is no search.
  const [search] = useDebouncedValue(typed === chosen ? '' : typed.trim(), TYPING_MS);
  const { data } = useList(['partners', 'named', search], '/v0/partners', {
    query: { 'page[size]': SHOWN, ...(search && { search }) },
  });
  const found = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const kept = value && chosen && !found.some((each) => each.value === value);
  return (
    <Select
      label={partner.ofKey}
      description={partner.ofKeyHelp}
      placeholder={partner.noPartner}
      searchable
      clearable
      data={kept ? [...found, { value, label: chosen }] : found}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id, option) => {
        setChosen(id ? option?.label : undefined);
        onChange(id);
      }}
    />
  );
}

/** The name of the partner of a key. */
export function PartnerName({ id }: { id: string }) {
  const { data } = useGet(['partners', id], '/v0/partners/{id}', { path: { id } });
  return data?.name ?? <code>{id}</code>;
}
