import type { EntityManager } from 'typeorm';
import { isId, statement } from '#platform/database';
import type { RecordKind } from '../format/records';

/** @param name the column or expression */
const named = (table: string, name: string) =>
  statement({
    parameters: ['uuid', 'text[]', 'uuid[]'],
    columns: { id: 'uuid', name: 'text!' },
    sql: `
      SELECT id, ${name} AS name FROM ${table}
      WHERE organization_id = $1 AND (${name} = ANY($2) OR id = ANY($3::uuid[]))
      ORDER BY id DESC
    `,
  });

/** Reads records of each kind by name or id. */
const NAMED: Record<RecordKind, ReturnType<typeof named>> = {
  bookingFormField: named('booking_form_fields', 'key'),
  bookingForm: named('booking_forms', 'title'),
  event: named('events', 'slug'),
  // Partners name their sub-partners themselves: such a name must not stand for a partner of the organizer, so it follows the parent's id.
  partner: named('partners', "coalesce(parent_partner_id || '/', '') || name"),
  occurrence: named('event_occurrences', 'slug'),
};

/** The records of the file so far, by name: later records can refer to them, but must not repeat them. */
export class Known {
  private readonly ids = new Map<string, string>();
  private readonly rows = new Map<string, number>();
  private readonly counts = new Map<string, number>();

  constructor(
    private manager: EntityManager,
    private readonly organizationId: string,
  ) {}

  /** Looks up the records of the same file in another transaction. */
  within(manager: EntityManager): this {
    this.manager = manager;
    return this;
  }

  /**
   * Takes the count of rows that an owner has in the database, unless it is known. It grows with `hasRoom` then, because the rows of
   * the file are in the database only when their batch is written.
   */
  counted(owner: string, stored: number): void {
    if (!this.counts.has(owner)) this.counts.set(owner, stored);
  }

  /** Whether the owner has room for another row, which then counts. */
  hasRoom(owner: string, most: number): boolean {
    const count = (this.counts.get(owner) ?? 0) + 1;
    if (count <= most) this.counts.set(owner, count);
    return count <= most;
  }

  /** The row of an earlier record with this name. */
  rowOf(kind: RecordKind, name: string): number | undefined {
    const id = this.ids.get(`${kind} ${name}`);
    return id === undefined ? undefined : this.rows.get(id);
  }

  /**
   * The earlier row that matched the same stored row, if any; then adds nothing.
   */
  add(kind: RecordKind, name: string, id: string, row: number): number | undefined {
    const before = this.rows.get(id);
    if (before !== undefined) return before;
    this.ids.set(`${kind} ${name}`, id);
    this.rows.set(id, row);
    return undefined;
  }

  /** Ids by names (or ids): of records of the file first, then of the organization. */
  async idsOf(kind: RecordKind, names: Iterable<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const asked: string[] = [];
    for (const name of new Set(names)) {
      const id = this.ids.get(`${kind} ${name}`);
      if (id) found.set(name, id);
      else asked.push(name);
    }
    if (asked.length === 0) return found;
    const stored = await NAMED[kind].rows(this.manager, [this.organizationId, asked, asked.filter(isId)]);
    // Of several rows with the same name, the oldest comes last and wins.
    for (const { id, name } of stored) found.set(name, id);
    for (const { id } of stored) found.set(id, id);
    return found;
  }
}
