import {
  Column,
  type ColumnOptions,
  ForeignKey,
  Index,
  type IndexOptions,
  type ObjectType,
  PrimaryColumn,
} from 'typeorm';

/** The time of the statement that inserts the row, if it does not set another one. */
export const NOW: ColumnOptions = { type: 'timestamptz', default: () => 'clock_timestamp()' };

/**
 * A row that belongs to an organization. Its primary key and all foreign keys between such rows begin with
 * `organization_id`, so that references across organizations are impossible.
 */
export abstract class OwnedRow {
  @PrimaryColumn('uuid') organizationId: string;

  /** UUID version 7. */
  @PrimaryColumn('uuid') id: string;
}

/**
 * An owned row with times. A trigger sets `updated_at`, and `created_at` if the statement does not.
 */
export abstract class TimedRow extends OwnedRow {
  @Column('timestamptz') createdAt: Date;
  @Column({ type: 'timestamptz', insert: false, update: false }) updatedAt: Date;
}

/** Declares a foreign key from `column` to a row of `target` in the same organization. */
export const References = (target: () => ObjectType<OwnedRow>, column: string): ClassDecorator =>
  ForeignKey(target, ['organizationId', column], ['organizationId', 'id']);

/** Declares an index of the rows of each organization by `columns`. */
export const OwnedIndex = (name: string, columns: string[], options: IndexOptions = {}): ClassDecorator =>
  Index(name, ['organizationId', ...columns], options);
