import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from './icons';

const TYPING_MS = 250;

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  /** Fewer characters find everything. */
  min?: number;
  /** Called when typing pauses. */
  onSearch(value: string): void;
}

/** The search of a list. */
export function SearchField({ label, placeholder = label, value = '', min = 1, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    const text = typed.trim().length < min ? '' : typed.trim();
    if (text === value) return;
    const pause = setTimeout(() => onSearch(text), TYPING_MS);
    return () => clearTimeout(pause);
  }, [typed, value, min, onSearch]);
  return (
    <TextInput
      className="filters-search"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" />}
      maxLength={100}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
