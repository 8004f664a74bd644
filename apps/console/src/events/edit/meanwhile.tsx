import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { CatalogueRecordState } from '../../api';
import { useTexts } from '../../texts';
import type { Draft } from './draft';
import { labelOf } from './editing';
import { mergedWith } from './merge';
import { isObject } from './paths';

interface MeanwhileProps {
  draft: Draft;
  /** The records that someone else changed, as they are now. */
  current: CatalogueRecordState[];
  onMerged(draft: Draft): void;
}

/** What someone else changed while this was typed. Nothing typed is lost; of what both changed, either can be taken. */
export function Meanwhile({ draft, current, onMerged }: MeanwhileProps) {
  const { eventForm: words } = useTexts();
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const { merged, found } = mergedWith(draft, current, taken);
  const take = (path: string, on: boolean) => {
    const next = new Set(taken);
    if (on) next.add(path);
    else next.delete(path);
    setTaken(next);
  };
  return (
    <section className="notice" role="alert">
      <h2>{words.meanwhile.title}</h2>
      <p>{words.meanwhile.text}</p>
      <ul>
        {found.map(({ path, before, mine, theirs, contested }) => (
          <li key={path}>
            <strong>{labelOf(merged.records, path, words)}</strong>: <Shown value={before} /> →{' '}
            <Shown value={theirs} />
            {contested && (
              <Checkbox
                label={
                  <>
                    {words.meanwhile.takeTheirs} <Shown value={mine} />
                  </>
                }
                checked={taken.has(path)}
                onChange={({ target }) => take(path, target.checked)}
              />
            )}
          </li>
        ))}
      </ul>
      <Button onClick={() => onMerged(merged)}>{words.meanwhile.merge}</Button>
    </section>
  );
}

const LONGEST = 160;

export function Shown({ value }: { value: unknown }) {
  const { eventForm: words } = useTexts();
  if (value === undefined || value === null || value === '') return <em>{words.nothing}</em>;
  const name = isObject(value) ? (value.title ?? value.label ?? value.name ?? value.code) : value;
  const text = typeof name === 'string' ? name : JSON.stringify(name ?? value);
  return <q>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</q>;
}
