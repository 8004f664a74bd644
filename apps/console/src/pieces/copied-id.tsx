import { Group, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts';
import { Icon } from './icons';

/** An id that imports and other systems ask for, which nobody reads: a press copies it. `named`, if no label says what it is. */
export function CopiedId({ id, named }: { id: string; named?: boolean }) {
  const { copy, copyId, copied } = useTexts();
  const [done, setDone] = useState(false);
  const text = done ? copied : named ? copyId : copy;
  const take = async () => {
    await navigator.clipboard.writeText(id);
    setDone(true);
  };
  return (
    <Group
      renderRoot={(props) => <UnstyledButton {...props} />}
      className="copied-id"
      gap={6}
      wrap="nowrap"
      w="fit-content"
      mih={24}
      title={id}
      aria-label={`${text}: ${id}`}
      onClick={() => void take()}
    >
      <Icon name={done ? 'check' : 'copy'} /> {text}
    </Group>
  );
}
