import { errors } from '#libs/errors';
import { NotJson, parseJson } from '#libs/input';

/** @throws ApiError 400 for what is not JSON in UTF-8 */
export function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw error instanceof NotJson ? errors.invalid(error.message) : error;
  }
}
