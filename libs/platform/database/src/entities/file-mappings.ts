import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { OwnedRow, References } from './owned-row';
import { StaffMember } from './staff';

/** How the columns of files are mapped to the fields of an import. Staff of an organization share them. */
@Entity('file_mappings')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@References(() => StaffMember, 'memberId')
@Index('file_mappings_name_idx', ['organizationId', 'surface', 'name'], { unique: true })
@Index('file_mappings_created_idx', ['organizationId', 'createdAt', 'id'])
export class StoredFileMapping extends OwnedRow {
  /** Such as `bookingsImport`. */
  @Column('text')
  @Holds('platform')
  surface: string;

  @Column('text')
  @Holds('remarks')
  name: string;

  /** A hash of the names of the columns: files with the same columns have the same. */
  @Column('text')
  @Holds('platform')
  fingerprint: string;

  /** A `FileMapping` of `libs/sheets`. */
  @Column('jsonb')
  @Holds('remarks')
  mapping: object;

  /** Who saved it last. */
  @Column('uuid')
  memberId: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  savedAt: Date;
}
