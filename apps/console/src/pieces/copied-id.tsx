import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts';
import { Icon } from './icons';

/** An id that imports and other systems ask for, which nobody reads: a press copies it. */
export function CopiedId({ id }: { id: string }) {
  const { copy, copied } = useTexts();
  const [done, setDone] = useState(false);
  const text = done ? copied : copy;
  const take = async () => {
    await navigator.clipboard.writeText(id);
    setDone(true);
  };
  return (
    <UnstyledButton
      className="copied-id"
      title={id}
      aria-label={`${text}: ${id}`}
      onClick={() => void take()}
    >
      <Icon name={done ? 'check' : 'copy'} /> {text}
    </UnstyledButton>
  );
}
