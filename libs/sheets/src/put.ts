/** What an import row contains. */
export type Body = Record<string, unknown>;

/** Sets the property at a path such as `participants[0].team.name`. */
export function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let inner = target;
  for (const name of names) {
    const [, list, index] = /^(\w+)\[(\d+)\]$/.exec(name) ?? [];
    if (list) {
      inner[list] ??= [];
      const items = inner[list] as Record<string, unknown>[];
      items[Number(index)] ??= {};
      inner = items[Number(index)] as Record<string, unknown>;
    } else {
      inner[name] ??= {};
      inner = inner[name] as Record<string, unknown>;
    }
  }
  inner[last] = value;
}

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
