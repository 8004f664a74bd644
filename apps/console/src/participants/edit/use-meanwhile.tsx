import { useState } from 'react';
import type { Participant } from '../../api';
import { type Difference, merge } from '../../events/edit/merge';
import { keysOf } from '../../events/edit/paths';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { useAnswerWords } from '../answers';
import { PERSON_PATHS, type Person } from './person-fields';

/** What forms change of a participant. */
export function storedIn(entry: Participant) {
  const answers = new Map(entry.fields.map(({ key, value }) => [key, value]));
  const text = (key: string) => String(answers.get(key) ?? '');
  const person: Person = {
    ...{ firstName: text('firstName'), lastName: text('lastName'), email: text('email') },
    ...{ dateOfBirth: text('dateOfBirth'), gender: text('gender') || null, answers: {} },
  };
  for (const key of PERSON_PATHS) answers.delete(key);
  return {
    person: { ...person, answers: Object.fromEntries(answers) },
    team: entry.team?.name ?? '',
    tags: entry.tags,
    notes: entry.notes,
    ticket: `${entry.raceName}: ${entry.ticketTitle}`,
    wave: entry.waves[0]?.title,
  };
}

/** Before a form is saved: what others changed since it was opened. Each change is shown once, so whoever saves again knows it. */
export function useMeanwhile(entry: Participant) {
  const { api } = useSession();
  const [known, setKnown] = useState(() => storedIn(entry));
  const [found, setFound] = useState<Difference[]>([]);
  /** @returns what is stored now, if it is not what was known here */
  const check = async () => {
    const now = storedIn(await api.get('/v0/participants/{id}', { params: { path: { id: entry.id } } }));
    const differences: Difference[] = [];
    merge(known, known, now, differences);
    setKnown(now);
    setFound(differences);
    return differences.length > 0 ? now : undefined;
  };
  return { known, check, notice: found.length > 0 && <Meanwhile entry={entry} found={found} /> };
}

function Meanwhile({ entry, found }: { entry: Participant; found: Difference[] }) {
  const { participants, history } = useTexts();
  const wordsOf = useAnswerWords(entry.ticketId);
  const names: Record<string, string> = {
    ...participants.fields,
    ...Object.fromEntries(entry.fields.map(({ key, label }) => [key, label])),
  };
  const { team, tags, notes, ticket, wave } = participants;
  Object.assign(names, { team, tags, notes, ticket, wave });
  return (
    <section className="notice" role="alert">
      <h2>{participants.meanwhile.title}</h2>
      <p>{participants.meanwhile.text}</p>
      <ul>
        {found.map(({ path, before, theirs }) => {
          const key = String(keysOf(path).at(-1));
          const answer = entry.fields.find((each) => each.key === key);
          const words = (value: unknown) => (answer ? wordsOf(answer, value) : value?.toString()) || null;
          return <li key={path}>{history.changed(names[key] ?? key, words(before), words(theirs))}</li>;
        })}
      </ul>
    </section>
  );
}
