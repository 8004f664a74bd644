import { plain } from './match-values';

/** What an import row contains. */
export type Body = Record<string, unknown>;

/** Sets the property at a path such as `participants[0].team.name`. What is no object or list where the path needs one is replaced. */
export function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let inner = target;
  for (const name of names) {
    const [, list, index] = /^(\w+)\[(\d+)\]$/.exec(name) ?? [];
    if (list) {
      const items: unknown[] = Array.isArray(inner[list]) ? inner[list] : [];
      inner[list] = items;
      inner = items[Number(index)] = bodyOf(items[Number(index)]);
    } else {
      inner = inner[name] = bodyOf(inner[name]);
    }
  }
  inner[last] = value;
}

const bodyOf = (value: unknown): Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};

/** Spellings of a name are the same person; those of an address are not. */
const comparable = (value: unknown) =>
  `${value}`.includes('@') ? `${value}`.toLowerCase() : plain(`${value}`);

/**
 * If the file names no booker, the first participant is the booker, and what it lacks of this person is theirs: a booker with another name or
 * address is somebody else. Only the bookings of a partner have one.
 *
 * @returns whether the address of somebody else is missing
 */
export function fillBooker(body: Record<string, unknown>): boolean {
  if (body.partnerId !== undefined) body.bookerType ??= 'PARTNER';
  const [first] = (body.participants ?? []) as Record<string, unknown>[];
  if (!first) return false;
  body.booker ??= {};
  const booker = body.booker as Record<string, unknown>;
  const isOther = ['email', 'firstName', 'lastName'].some(
    (name) => booker[name] && first[name] && comparable(booker[name]) !== comparable(first[name]),
  );
  if (isOther) return booker.email === undefined;
  booker.email ??= first.email;
  if (booker.firstName === undefined && booker.lastName === undefined)
    for (const name of ['firstName', 'lastName']) booker[name] = first[name];
  return false;
}
