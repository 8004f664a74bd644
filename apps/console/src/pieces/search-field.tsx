import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icons';

const TYPING_MS = 200;

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  /** Fewer characters find everything. */
  min?: number;
  autoFocus?: boolean;
  /** The filter that it is. */
  name?: string;
  /** Called when typing pauses, so that a key renders nothing but the field. */
  set(filter: Record<string, string>, options: { replace: true }): void;
}

/** The search of a list. */
export function SearchField({
  label,
  placeholder = label,
  value = '',
  min = 1,
  autoFocus,
  name = 'search',
  set,
}: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const searched = useRef(value);
  useEffect(() => {
    // Something else set it, such as a link.
    if (value !== searched.current) setTyped(value);
    searched.current = value;
  }, [value]);
  useEffect(() => {
    const text = typed.trim().length < min ? '' : typed.trim();
    if (text === value) return;
    const pause = setTimeout(() => {
      searched.current = text;
      set({ [name]: text }, { replace: true });
    }, TYPING_MS);
    return () => clearTimeout(pause);
  }, [typed, value, min, name, set]);
  return (
    <TextInput
      className="filters-search"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={100}
      leftSection={<Icon name="search" />}
      autoFocus={autoFocus}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
