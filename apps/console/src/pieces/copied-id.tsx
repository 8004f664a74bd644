import { useState } from 'react';
import { useTexts } from '../texts';
import { Icon } from './icons';

/** An id that imports and other systems ask for: a press copies it. In tables only its end shows. */
export function CopiedId({ id, short }: { id: string; short?: boolean }) {
  const { copy, copied } = useTexts();
  const [done, setDone] = useState(false);
  const take = async () => {
    await navigator.clipboard.writeText(id);
    setDone(true);
  };
  return (
    <button
      type="button"
      className={short ? 'copied-id short mono' : 'copied-id mono'}
      title={`${id}\n${done ? copied : copy}`}
      aria-label={`${done ? copied : copy}: ${short ? `${id.slice(-6)}, ` : ''}${id}`}
      onClick={() => void take()}
    >
      {short ? id.slice(-6) : id} <Icon name={done ? 'check' : 'copy'} />
    </button>
  );
}
