import { statement } from '#libs/database';
/**
 * Removes the payloads of up to $2 rows of jobs that finished more than $1 days ago. Outcomes stay. Returns the
 * number of processed rows. A retry locks the job as well, so a job without payloads is not reopened.
 */
export const FORGET_IMPORT_PAYLOADS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_import_payloads($1, $2) AS deleted',
});
