/** What a chunk of a dry run takes that others can be short of. */
export type CarriedKind =
  /** Uses of a discount code. */
  | 'uses'
  /** Whether a bib of a race has a holder. */
  | 'bib'
  /** Places of a reserved entry group, or of one of its tickets. */
  | 'places'
  /** Whether an address has its place of a group. */
  | 'address'
  /** The currency of a booking that was free. */
  | 'currency'
  /** By which the line items of a booking sum to more. */
  | 'paid'
  /** By which the line items that name a credit sum to more, by currency and name. */
  | 'spent'
  /** What a booking counts for in a referral program. */
  | 'attribution'
  /** Where the first participant of a person is. */
  | 'person';

/** Values by `kind/key`. */
export type CarriedValues = Map<string, unknown>;

/**
 * What earlier chunks of a dry run took, which was rolled back, so that the database does not show it. A handler adds it to what it
 * reads, and says here what its rows take. Without a dry run there is none: then the database has it.
 */
export class Carried {
  private readonly known: CarriedValues = new Map();
  private readonly taken: CarriedValues = new Map();

  /** @param read the values of earlier chunks, by `kind/key` */
  constructor(private readonly read: (names: string[]) => Promise<CarriedValues>) {}

  /** The values of these keys, also those that this chunk set. Keys without one are missing. */
  async get<Value>(kind: CarriedKind, keys: Iterable<string>): Promise<Map<string, Value>> {
    const wanted = new Map([...keys].map((key) => [`${kind}/${key}`, key]));
    const unread = [...wanted.keys()].filter((name) => !this.taken.has(name));
    if (unread.length > 0) for (const [name, value] of await this.read(unread)) this.known.set(name, value);
    const found = new Map<string, Value>();
    for (const [name, key] of wanted) {
      const value = this.taken.get(name) ?? this.known.get(name);
      if (value !== undefined) found.set(key, value as Value);
    }
    return found;
  }

  /** The values of earlier chunks alone: what this chunk took, the database has while the chunk runs. */
  async earlier<Value>(kind: CarriedKind, keys: string[]): Promise<Map<string, Value>> {
    await this.get(kind, keys);
    return new Map(
      keys.flatMap((key) => {
        const value = this.known.get(`${kind}/${key}`);
        return value === undefined ? [] : [[key, value as Value] as const];
      }),
    );
  }

  set(kind: CarriedKind, key: string, value: string | number | boolean | object): void {
    this.taken.set(`${kind}/${key}`, value);
  }

  /** Adds to the count of a key, which was read with `get`. */
  add(kind: CarriedKind, key: string, count: number): void {
    const name = `${kind}/${key}`;
    this.taken.set(name, Number(this.taken.get(name) ?? this.known.get(name) ?? 0) + count);
  }

  /** For work that may be undone: what it takes counts here after `keep`. */
  fork(): Carried {
    return new Carried(async (names) => {
      const unread = names.filter((name) => !this.taken.has(name));
      const found = unread.length > 0 ? await this.read(unread) : new Map();
      for (const name of names) if (this.taken.has(name)) found.set(name, this.taken.get(name));
      return found;
    });
  }

  keep(fork: Carried): void {
    for (const [name, value] of fork.changes) this.taken.set(name, value);
  }

  /** What the chunk took, for the next ones. */
  get changes(): CarriedValues {
    return this.taken;
  }
}
