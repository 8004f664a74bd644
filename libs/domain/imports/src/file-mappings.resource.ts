import { instant, type ListDeclaration, oneOf, type Resource } from '#platform/queries';
import { IMPORT_DEFINITIONS } from './definitions';
import { FileMappingDetail, FileMappingItem } from './file-mappings.dto';

const ITEM = `
  t.id AS "id",
  t.surface AS "surface",
  t.name AS "name",
  t.fingerprint AS "fingerprint",
  (SELECT m.email FROM staff_members m WHERE m.organization_id = t.organization_id AND m.id = t.member_id) AS "savedBy",
  ${instant('t.saved_at')} AS "savedAt"`;

export const FILE_MAPPINGS: ListDeclaration = {
  name: 'fileMappings',
  schemaName: 'PagedFileMappings',
  of: { schema: FileMappingItem, from: 'file_mappings t', select: ITEM },
  order: { sql: 't.created_at', type: 'timestamptz' },
  filters: {
    surface: {
      parameter: oneOf(
        'Only mappings for this import.',
        IMPORT_DEFINITIONS.map(({ surface }) => surface),
      ),
      where: (value) => `t.surface = ${value}`,
    },
  },
};

export const FILE_MAPPING: Resource = {
  schema: FileMappingDetail,
  from: 'file_mappings t',
  select: `${ITEM}, t.mapping AS "mapping"`,
};
