import type { EntityManager } from 'typeorm';
import type { SourceRecord } from '../files/source';
import type { CatalogueRecord, RecordKind } from '../format/records';
import type { FieldProblem, Problems } from '../problems';
import { type Identities, type Stored, Unclear } from './identities';
import type { Known } from './known';
import { Rows } from './write';

/** The stored data that the records of a batch are compared with. */
export interface Planning {
  manager: EntityManager;
  organizationId: string;
  known: Known;
  /** Lower-case names of the time zones that this PostgreSQL knows. */
  timeZones: ReadonlySet<string>;
}

/** A maximum that a record states for a row, or the entries of a unit of a ticket. */
export interface Capacity {
  of: 'group' | 'groupTicket' | 'race' | 'ticket' | 'unit' | 'wave';
  id: string;
  /** For the ticket of a reserved entry group: the ticket. */
  ticketId?: string;
  field: string;
  most: number;
}

/** A record that is being converted to rows. A record with a problem gets no rows. */
export class Draft<R extends CatalogueRecord = CatalogueRecord> {
  readonly rows = new Rows();
  readonly capacities: Capacity[] = [];
  bad = false;
  /** Of the record's own row. */
  id: string | undefined;

  constructor(
    readonly record: R,
    readonly source: SourceRecord,
    private readonly problems: Problems,
  ) {}

  refuse(field: string, message: string, more: Pick<FieldProblem, 'code' | 'used'> = {}): void {
    this.bad = true;
    const problem = { field, message, ...more };
    this.problems.add(this.source.locate?.(problem) ?? { row: this.source.row, ...problem });
  }

  /**
   * The stored row that matches a row of the record. Reports ambiguous rows.
   *
   * @param at the path of the row, `races[0].`; empty for the record itself
   * @param named the property that identifies it
   */
  resolve<T extends Stored>(
    identities: Identities<T>,
    given: { id?: string | null; name: string; owner?: string },
    at: string,
    named: string,
  ): { id: string; stored: T | undefined } | undefined {
    try {
      return identities.resolve(given);
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      this.refuse(`${at}${error.byId ? 'id' : named}`, error.message);
      return undefined;
    }
  }

  /** Same as `resolve`, for the record itself, which later records of the file can then refer to: by `<owner>/<name>` if it has an owner. */
  identify<T extends Stored>(
    identities: Identities<T>,
    known: Known,
    kind: RecordKind,
    named: { property: string; name: string; owner?: string },
  ): { id: string; stored: T | undefined } | undefined {
    const { property, ...given } = named;
    const name = given.owner ? `${given.owner}/${given.name}` : given.name;
    const before = known.rowOf(kind, name);
    if (before !== undefined && !this.record.id) {
      this.refuse(property, `repeats the value of row ${before}`);
      return undefined;
    }
    const resolved = this.resolve(identities, { id: this.record.id, ...given }, '', property);
    if (!resolved) return undefined;
    const repeated = known.add(kind, name, resolved.id, this.source.row);
    if (repeated !== undefined) {
      this.refuse(this.record.id ? 'id' : property, `is the same ${kind} as in row ${repeated}`);
      return undefined;
    }
    this.id = resolved.id;
    return resolved;
  }

  /** Refuses a row that an earlier field has named: by its id, or by another name than it has from now on. */
  once(named: Set<string>, id: string, field: string, name: string): void {
    if (named.has(id)) this.refuse(field, `repeats "${name}"`);
    named.add(id);
  }

  /** Refuses new rows for which the stored ones leave no room; what is stored beyond the maximum stays. */
  room(
    field: string,
    what: string,
    most: number,
    { stored, added }: { stored: number; added: number },
  ): void {
    if (added > 0 && stored + added > most)
      this.refuse(
        field,
        `would have ${stored + added} ${what}, stored ones included, and must not have more than ${most}`,
      );
  }

  /** The capacity of a row that can be stored, if the record states one. */
  limit(
    of: Capacity['of'],
    id: string,
    field: string,
    most: number | null | undefined,
    ticketId?: string,
  ): void {
    if (most != null) this.capacities.push({ of, id, field, most, ...(ticketId && { ticketId }) });
  }
}

export const draftsOf = <Kind extends RecordKind>(drafts: Draft[], kind: Kind) =>
  drafts.filter(
    (draft): draft is Draft<Extract<CatalogueRecord, { record: Kind }>> =>
      draft.record.record === kind && !draft.bad,
  );
