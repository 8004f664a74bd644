/**
 * Errors with an HTTP status, by name. Does not depend on an HTTP server: the http lib renders them.
 *
 *   throw errors.notFound();
 *   export const errors = defineErrors({ unknownPartner: (id: string) => [404, `There is no partner ${id}.`] });
 */
export { ApiError, defineErrors, type ErrorBody, errors } from './api-error';
