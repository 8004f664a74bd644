import { Select } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';

export interface Choice {
  value: string;
  label: string;
}

interface CellEditorProps {
  label: string;
  text: string;
  choices: Choice[] | undefined;
  onText(text: string): void;
  onCommit(text: string, by?: 'Enter' | 'Tab' | 'ShiftTab'): void;
  onCancel(): void;
}

/** The field in a cell that is edited. */
export function CellEditor({ label, text, choices, onText, ...on }: CellEditorProps) {
  /** Giving the focus back blurs the field: that is no second end. */
  const isOver = useRef(false);
  const once = (end: () => void) => {
    if (!isOver.current) {
      isOver.current = true;
      end();
    }
  };
  const onCommit = (value: string, by?: 'Enter' | 'Tab' | 'ShiftTab') => once(() => on.onCommit(value, by));
  const onCancel = () => once(on.onCancel);
  const keys = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    event.stopPropagation();
    if (key === 'Escape') onCancel();
    else if (key === 'Tab') onCommit(text, shiftKey ? 'ShiftTab' : 'Tab');
    else if (key === 'Enter' && !choices) onCommit(text, 'Enter');
    else return;
    event.preventDefault();
  };
  if (!choices)
    return (
      <input
        className="grid-input"
        aria-label={label}
        // A person asked for it with Enter or a click.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus
        value={text}
        // What was typed to begin comes before what follows.
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={keys}
        onBlur={() => onCommit(text)}
      />
    );
  const known = choices.find(({ value }) => value === text);
  return (
    <Select
      className="grid-select"
      aria-label={label}
      autoFocus
      searchable
      defaultDropdownOpened
      variant="unstyled"
      size="xs"
      data={choices}
      value={known?.value ?? null}
      placeholder={known ? undefined : text}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', transitionProps: { duration: 0 } }}
      onChange={(value) => onCommit(value ?? '', 'Enter')}
      onKeyDown={keys}
      onBlur={onCancel}
    />
  );
}
