import { newId } from '#libs/database';

/** A row of the database that a file may mean. */
export interface Stored {
  id: string;
  /** What tells it apart, within its owner. */
  name: string;
  /** Whose it is, where names repeat from owner to owner. */
  owner?: string;
}

/** Why a row can't be told apart; `byId`: because of the id that it carries. */
export class Unclear extends Error {
  constructor(
    message: string,
    readonly byId: boolean,
  ) {
    super(message);
  }
}

/**
 * Tells which stored row a row of the file means: the one with its id, else the one with its name, else none, and
 * then it gets a new id.
 */
export class Identities<T extends Stored> {
  private readonly byId = new Map<string, T>();
  private readonly byName = new Map<string, T>();
  private readonly taken = new Set<string>();

  /**
   * @param what a row is called in messages
   * @param stored oldest first: of several with one name, the oldest is meant
   * @param unique whether the database takes a name only once
   */
  constructor(
    private readonly what: string,
    stored: T[],
    private readonly unique = false,
  ) {
    for (const row of stored) {
      this.byId.set(row.id, row);
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
    const id = stored?.id ?? newId();
    if (this.taken.has(id))
      throw new Unclear(`is the same ${this.what} as in another row`, Boolean(given.id));
    this.taken.add(id);
    return { id, stored };
  }

  /** The stored rows that no row of the file has meant so far. */
  *untouched(owner: string): Iterable<T> {
    for (const row of this.byId.values()) if (row.owner === owner && !this.taken.has(row.id)) yield row;
  }

  named(name: string, owner: string): T | undefined {
    return this.byName.get(nameOf({ name, owner }));
  }
}

const nameOf = ({ name, owner = '' }: { name: string; owner?: string }) => `${owner}/${name}`;
