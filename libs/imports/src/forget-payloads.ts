import { statement } from '#libs/database';
/**
 * Removes the payloads of up to $2 rows of jobs that finished more than $1 days ago. Outcomes stay. It returns how many rows
 * it went through. A retry locks the job as well: a job whose rows are emptied is not reopened.
 */
export const FORGET_IMPORT_PAYLOADS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_import_payloads($1, $2) AS deleted',
});
