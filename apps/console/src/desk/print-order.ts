import type { StartListPerson } from '../api';

export type Person = StartListPerson;

export interface PrintedWave {
  id: string;
  title: string | null;
  startDateTime: string | null;
  people: Person[];
}

const startOf = ({ wave }: Person): string => (wave ? `${wave.startDateTime ?? ''} ${wave.title}` : '\uffff');

/** By wave, then by name as the language sorts it. */
export function inOrder(people: readonly Person[], locale: string): Person[] {
  const { compare } = new Intl.Collator(locale);
  return [...people].sort(
    (a, b) =>
      (startOf(a) < startOf(b) ? -1 : Number(startOf(a) > startOf(b))) ||
      compare(a.lastName ?? '', b.lastName ?? '') ||
      compare(a.firstName ?? '', b.firstName ?? '') ||
      compare(a.participantId, b.participantId),
  );
}

/** The waves of people who are in their order; those without a wave are last. */
export function wavesOf(people: readonly Person[]): PrintedWave[] {
  const waves = new Map<string, PrintedWave>();
  for (const person of people) {
    const { id = '', title = null, startDateTime = null } = person.wave ?? {};
    const wave = waves.get(id) ?? { id, title, startDateTime, people: [] };
    wave.people.push(person);
    waves.set(id, wave);
  }
  return [...waves.values()];
}

export const nameOf = ({ firstName, lastName }: Person): string =>
  `${firstName ?? ''} ${lastName ?? ''}`.trim();
