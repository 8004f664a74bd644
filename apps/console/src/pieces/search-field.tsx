import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from './icons';

const TYPING_MS = 250;

interface SearchInputProps {
  label: string;
  placeholder?: string;
  value: string;
  maxLength?: number;
  autoFocus?: boolean;
  /** Called with each change. */
  onType(text: string): void;
}

/** What is typed to search a list. */
export function SearchInput({ label, placeholder = label, onType, ...props }: SearchInputProps) {
  return (
    <TextInput
      className="filters-search"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" />}
      {...props}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

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
export function SearchField({ label, placeholder, value = '', min = 1, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    const text = typed.trim().length < min ? '' : typed.trim();
    if (text === value) return;
    const pause = setTimeout(() => onSearch(text), TYPING_MS);
    return () => clearTimeout(pause);
  }, [typed, value, min, onSearch]);
  return (
    <SearchInput label={label} placeholder={placeholder} maxLength={100} value={typed} onType={setTyped} />
  );
}
