/**
 * Errors that have an answer, by name. Knows nothing of HTTP servers: the http lib renders them.
 *
 *   throw errors.notFound();
 *   export const errors = defineErrors({ unknownPartner: (id: string) => [404, `There is no partner ${id}.`] });
 */
export { ApiError, defineErrors, type ErrorBody, errors } from './api-error';
