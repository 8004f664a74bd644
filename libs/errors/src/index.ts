export { ApiError, defineErrors, type ErrorBody, errors } from './api-error';
