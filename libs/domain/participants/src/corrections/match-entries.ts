import { fullName, normalizeEmail } from '#platform/validation';
import { isCleared } from '../entry-metadata';
import { type Placed, placed, type RowOfParticipants } from '../imported/participant-references';
import type { BookingOfEntries, StoredEntry } from './stored-entries';

/** A participant and its entry; undefined if it is not recognised. */
export interface Match extends Placed {
  entry: StoredEntry | undefined;
}

/** Who a participant of a row is, or an entry of the booking. */
interface Person {
  place: number;
  externalId: string | null;
  /** Empty of a redacted entry, of which nothing is known. */
  name: string;
  birthDate: string | null;
  /** Their own, or that of the booker of them alone. */
  email: string | null;
}

type Rule = (participant: Person, entry: Person) => boolean;

/** An id that no entry of the booking has can only be given to an entry without one. */
const isFree: Rule = (participant, entry) => participant.externalId === null || entry.externalId === null;
const isSame: Rule = (participant, entry) =>
  participant.name === entry.name && participant.birthDate === entry.birthDate && isFree(participant, entry);

/** Each recognises whom it can before the next one. */
const RULES: Rule[] = [
  (participant, entry) => participant.externalId !== null && participant.externalId === entry.externalId,
  (participant, entry) =>
    isSame(participant, entry) && participant.email !== null && participant.email === entry.email,
  isSame,
];

/** A birth date that one of both lacks contradicts nothing. */
const isNamesake: Rule = (participant, entry) =>
  participant.name === entry.name &&
  (participant.birthDate === null || entry.birthDate === null) &&
  isFree(participant, entry);

const agrees: Rule = (participant, entry) =>
  participant.externalId === null &&
  (['name', 'birthDate', 'email'] as const).some(
    (property) => participant[property] !== null && participant[property] === entry[property],
  );

/**
 * The entry of each participant: by external id, then by normalized name and birth date. The last one that is left is
 * recognised if name, birth date or email agrees. Redacted entries are those that are left over.
 */
export function matchEntries(
  row: Pick<RowOfParticipants, 'participants' | 'booker'>,
  booking: BookingOfEntries,
  entries: StoredEntry[],
): Match[] {
  const found = new Map<Person, StoredEntry>();
  const isAlone = entries.length === 1;
  const participants = row.participants.map((participant, place): Person => {
    const name = fullName(participant.firstName, participant.lastName);
    const email = participant.email ?? (isAlone ? row.booker.email : null);
    return {
      ...{ place, name, externalId: participant.externalParticipantId ?? null },
      ...{ birthDate: participant.dateOfBirth ?? null, email: email && normalizeEmail(email) },
    };
  });
  const bookerEmail = isAlone ? booking.booker_email : null;
  const left = new Map(entries.map((entry, place) => [personOf(entry, bookerEmail, place), entry]));
  const open = () => participants.filter((participant) => !found.has(participant));
  const match = (participant: Person, person: Person) => {
    found.set(participant, left.get(person) as StoredEntry);
    left.delete(person);
  };
  /** Of several entries in question, the one at the place of the participant, or else the first one. */
  const matchFirst = (rule: Rule) => {
    const atPlace: Rule = (participant, entry) =>
      participant.place === entry.place && rule(participant, entry);
    for (const each of [atPlace, rule])
      for (const participant of open()) {
        const first = [...left.keys()].find((person) => each(participant, person));
        if (first) match(participant, first);
      }
  };
  /** Those who have one entry in question, which is in question for nobody else. */
  const matchOnly = (rule: Rule) => {
    const pairs = open().flatMap((participant) =>
      [...left.keys()].flatMap((person) => (rule(participant, person) ? [{ participant, person }] : [])),
    );
    const times = new Map<Person, number>();
    for (const each of pairs.flatMap(({ participant, person }) => [participant, person]))
      times.set(each, (times.get(each) ?? 0) + 1);
    for (const { participant, person } of pairs)
      if (times.get(participant) === 1 && times.get(person) === 1) match(participant, person);
  };

  for (const rule of RULES) matchFirst(rule);
  matchOnly(isNamesake);
  const known = () => [...left].filter(([{ name }]) => name !== '');
  const [last, ...others] = known();
  // A row of before a transfer is refused for what it says of the former person.
  if (last && others.length === 0)
    matchOnly(
      (participant, person) =>
        person === last[0] &&
        (agrees(participant, person) || (isFree(participant, person) && isCleared(last[1].metadata))),
    );
  if (known().length === 0) matchFirst(isFree);
  return placed(row).map((each, i) => ({ ...each, entry: found.get(participants[i] as Person) }));
}

function personOf(
  { fields, external_participant_id: externalId }: StoredEntry,
  bookerEmail: string | null,
  place: number,
): Person {
  const answerTo = (key: string) => {
    const value = fields.find((answer) => answer.key === key)?.value;
    return typeof value === 'string' ? value : null;
  };
  const name = fullName(answerTo('firstName'), answerTo('lastName'));
  const email = answerTo('email') ?? bookerEmail;
  return {
    place,
    externalId,
    name,
    birthDate: answerTo('dateOfBirth'),
    email: email && normalizeEmail(email),
  };
}
