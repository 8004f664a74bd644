import { Button, MultiSelect, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../../texts';
import type { Row } from '../write-catalogue';
import { newRow } from './draft';
import { rowName, useEditing } from './editing';
import { keyFrom } from './names';
import { below } from './paths';
import { QUESTION } from './shapes';

/** Where a form gets its questions from, and who is asked them: a new question of it, and its tickets. */
export function FormUse({ row, path }: { row: Row; path: string }) {
  const { eventForm: words } = useTexts();
  const { set, names, tickets, opened } = useEditing();
  const [added, setAdded] = useState(0);
  const title = String(row.title ?? '');
  useEffect(() => {
    if (added > 0) lastLabel()?.select();
  }, [added]);
  const addQuestion = () => {
    const label = unused(words.lists.questions.untitled, new Set(names.questions.map(({ value }) => value)));
    const key = keyFrom(label);
    opened.add(rowName(QUESTION, label));
    set('records', (now: Row[]) => [
      ...now,
      newRow({ record: 'bookingFormField', label, key, type: 'TEXT' }),
    ]);
    set(below(path, 'fields'), (now: string[] = []) => [...now, key]);
    setAdded(added + 1);
  };
  const choose = (chosen: string[]) => {
    for (const ticket of tickets) {
      const asks = chosen.includes(ticket.value);
      if (asks === ticket.forms.includes(title)) continue;
      const forms = asks ? [...ticket.forms, title] : ticket.forms.filter((each) => each !== title);
      set(below(ticket.value, 'bookingForms'), forms.length > 0 ? forms : undefined);
    }
  };
  return (
    <Stack gap={16}>
      <Button mr="auto" variant="default" size="xs" onClick={addQuestion}>
        {words.addQuestionToForm}
      </Button>
      <MultiSelect
        label={words.ticketsOfForm}
        description={title ? words.ticketsOfFormHelp : words.titleFirst}
        disabled={!title}
        searchable
        hidePickedOptions
        limit={100}
        data={tickets}
        nothingFoundMessage={words.nothingToChoose}
        value={title ? tickets.filter(({ forms }) => forms.includes(title)).map(({ value }) => value) : []}
        onChange={choose}
      />
    </Stack>
  );
}

/** That of the question that was added last. */
const lastLabel = () =>
  [...document.querySelectorAll<HTMLElement>('[data-path]')]
    .findLast(({ dataset }) => /^records\[\d+\]\.label$/.test(dataset.path ?? ''))
    ?.querySelector('input');

function unused(label: string, keys: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const next = n === 1 ? label : `${label} ${n}`;
    if (!keys.has(keyFrom(next))) return next;
  }
}
