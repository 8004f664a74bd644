/**
 * Organizations and catalogue files (docs/catalogue-files.md).
 *
 *   const { id: organizationId } = await createOrganization(manager, { slug: 'city-runs', name: 'City Runs' }, actor);
 *   const report = await loadCatalogue(dataSource, { organizationId, open: () => openCatalogue('2027.jsonl') });
 *   for await (const line of exportCatalogue(dataSource, { organizationId, ids: true })) …
 */
export { exportCatalogue } from './export';
export { csvRecordsOf, isUtf8 } from './files/csv/records';
export { CALENDAR_TEMPLATE } from './files/csv/template';
export { linesOf } from './files/json-lines';
export { openCatalogue } from './files/open';
export { type Advance, type Source, UnreadableFile } from './files/source';
export { CatalogueRecordSchema } from './format/records';
export { type LoadOptions, type LoadReport, loadCatalogue } from './load/load';
export {
  closeOrganization,
  createOrganization,
  IDENTITY_FIELDS,
  type NewOrganization,
  type OrganizationChange,
  OrganizationRefused,
  reopenOrganization,
  updateOrganization,
} from './organizations';
export { describeProblem, type Problem } from './problems';
