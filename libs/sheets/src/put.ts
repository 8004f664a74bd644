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

/** If the file names no booker, the first participant is the booker. Only the bookings of a partner have one. */
export function fillBooker(body: Record<string, unknown>): void {
  const [first] = (body.participants ?? []) as Record<string, unknown>[];
  if (!first) return;
  body.booker ??= {};
  const booker = body.booker as Record<string, unknown>;
  booker.email ??= first.email;
  if (booker.firstName === undefined && booker.lastName === undefined)
    for (const name of ['firstName', 'lastName']) booker[name] = first[name];
  if (body.partnerId !== undefined) body.bookerType ??= 'PARTNER';
}
