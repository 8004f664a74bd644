import { newId } from '#platform/database';

/** A stored row that a row of the file can match. */
export interface Stored {
  id: string;
  /** The name, unique within its owner. */
  name: string;
  /** The owner, if names are only unique within an owner. */
  owner?: string;
}

/** A stored row with its place among those of its owner. */
export interface Placed extends Stored {
  position: number;
}

export function byOwner<T>(rows: T[], ownerOf: (row: T) => string | undefined) {
  const found = new Map<string | undefined, T[]>();
  for (const row of rows) {
    const others = found.get(ownerOf(row));
    if (others) others.push(row);
    else found.set(ownerOf(row), [row]);
  }
  return found;
}

/** The row can't be matched. `byId`: because of its id. */
export class Unclear extends Error {
  constructor(
    message: string,
    readonly byId: boolean,
  ) {
    super(message);
  }
}

/**
 * Matches rows of the file with stored rows: by id, or by name if there is no id. A row without a match gets a new id.
 */
export class Identities<T extends Stored> {
  private readonly byId = new Map<string, T>();
  private readonly byName = new Map<string, T>();
  private readonly taken = new Set<string>();
  private readonly ofOwner: Map<string | undefined, T[]>;
  private readonly countOf = new Map<string | undefined, number>();

  /**
   * @param what the name of the rows in messages
   * @param stored oldest first: of several rows with the same name, the oldest matches
   * @param unique whether names are unique in the database
   * @param most the maximum of rows of an owner, stored ones included
   */
  constructor(
    private readonly what: string,
    stored: T[],
    private readonly unique = false,
    private readonly most = Number.POSITIVE_INFINITY,
  ) {
    this.ofOwner = byOwner(stored, ({ owner }) => owner);
    for (const row of stored) {
      this.byId.set(row.id, row);
      this.count(row.owner);
      const name = nameOf(row);
      if (!this.byName.has(name)) this.byName.set(name, row);
    }
  }

  /** @throws Unclear */
  resolve(given: { id?: string | null; name: string; owner?: string }): {
    id: string;
    stored: T | undefined;
  } {
    const named = this.byName.get(nameOf(given));
    const stored = given.id ? this.byId.get(given.id) : named;
    if (given.id && (!stored || stored.owner !== given.owner)) {
      throw new Unclear(`is not a known ${this.what}; omit the id to create a new one`, true);
    }
    if (this.unique && given.id && named && named.id !== given.id) {
      throw new Unclear(`is already used by ${this.what} ${named.id}`, false);
    }
    if (!stored && this.count(given.owner) > this.most) {
      throw new Unclear(`is one too many: at most ${this.most} (${this.what}), stored ones included`, false);
    }
    const id = stored?.id ?? newId();
    if (this.taken.has(id))
      throw new Unclear(`is the same ${this.what} as in another row`, Boolean(given.id));
    this.taken.add(id);
    return { id, stored };
  }

  private count(owner: string | undefined): number {
    const count = (this.countOf.get(owner) ?? 0) + 1;
    this.countOf.set(owner, count);
    return count;
  }

  /** The stored rows that no row of the file has matched yet. */
  *untouched(owner: string): Iterable<T> {
    for (const row of this.ofOwner.get(owner) ?? []) if (!this.taken.has(row.id)) yield row;
  }

  named(name: string, owner: string): T | undefined {
    return this.byName.get(nameOf({ name, owner }));
  }
}

const nameOf = ({ name, owner = '' }: { name: string; owner?: string }) => `${owner}/${name}`;
