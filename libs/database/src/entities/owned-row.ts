import type { ObjectType } from 'typeorm';
import { Column, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * A row that belongs to one organization. Its primary key begins with `organization_id`, and so does every
 * foreign key between such rows: a reference from one organization's row to another's can't be written.
 */
export abstract class OwnedRow {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** UUID version 7. */
  @PrimaryColumn('uuid')
  id: string;
}

/**
 * An owned row that keeps its times. The row's trigger sets `updated_at`, never a caller, and `created_at`
 * where the caller gave none.
 */
export abstract class TimedRow extends OwnedRow {
  @Column('timestamptz')
  createdAt: Date;

  @Column({ type: 'timestamptz', insert: false, update: false })
  updatedAt: Date;
}

/** Declares that `column` names a row of `target` in the same organization. */
export const References = (target: () => ObjectType<OwnedRow>, column: string): ClassDecorator =>
  ForeignKey(target, ['organizationId', column], ['organizationId', 'id']);
