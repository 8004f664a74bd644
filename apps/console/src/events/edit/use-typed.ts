import { type ChangeEvent, useState } from 'react';

export interface InputProps {
  label: string;
  description?: string;
  required?: boolean;
  error?: string;
  disabled?: boolean;
  inputWrapperOrder?: ('label' | 'input' | 'description' | 'error')[];
}

/** Keeps what is being typed as it is, and what cannot be read as a text, so that the API names it. */
export function useTyped(
  value: unknown,
  written: (value: unknown) => string,
  read: (text: string) => unknown,
  onChange: (value: unknown) => void,
) {
  const [typing, setTyping] = useState<string>();
  return {
    value: typing ?? (typeof value === 'string' ? value : written(value)),
    onBlur: () => setTyping(undefined),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setTyping(target.value);
      onChange(target.value.trim() === '' ? undefined : read(target.value.trim()));
    },
  };
}
