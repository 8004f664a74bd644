import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts';
import { Icon } from './icons';

/** An id that imports and other systems ask for: a press copies it. In tables only its end shows. */
export function CopiedId({ id, short }: { id: string; short?: boolean }) {
  const { copy, copied } = useTexts();
  const [done, setDone] = useState(false);
  const shown = short ? `…${id.slice(-6)}` : id;
  const take = async () => {
    await navigator.clipboard.writeText(id);
    setDone(true);
  };
  return (
    <UnstyledButton
      className="copied-id mono"
      title={`${id}\n${done ? copied : copy}`}
      aria-label={`${done ? copied : copy}: ${short ? `${shown}, ` : ''}${id}`}
      onClick={() => void take()}
    >
      {shown} <Icon name={done ? 'check' : 'copy'} />
    </UnstyledButton>
  );
}
