import { Column, Entity, ForeignKey } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex, OwnedRow, References } from './owned-row';
import { StaffMember } from './staff';

/** How the columns of files are mapped to the fields of an import. Staff of an organization share them. */
@Entity('file_mappings')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@References(() => StaffMember, 'memberId')
@OwnedIndex('file_mappings_name_idx', ['surface', 'name'], { unique: true })
@OwnedIndex('file_mappings_created_idx', ['createdAt', 'id'])
export class StoredFileMapping extends OwnedRow {
  /** Such as `bookingsImport`. */
  @Holds('platform', 'text') surface: string;
  @Holds('remarks', 'text') name: string;

  /** A hash of the names of the columns: files with the same columns have the same. */
  @Holds('platform', 'text') fingerprint: string;

  /** A `FileMapping` of `libs/sheets`. */
  @Holds('remarks', 'jsonb') mapping: object;

  /** Who saved it last. */
  @Column('uuid') memberId: string;
  @Column(NOW) createdAt: Date;
  @Column(NOW) savedAt: Date;
}
