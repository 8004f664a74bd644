/**
 * The header Idempotency-Key: within an organization and operation, the same key with the same body takes effect
 * once.
 *
 * const given = keys.read(request.headers['idempotency-key']);             // undefined, or 400
 * await keys.claim(manager, { organizationId, operation, key, hash });    // false: another request has it
 * await keys.first({ organizationId, operation, key, hash });             // 400 if that had another body
 */
export { type ClaimedKey, IdempotencyKeys } from './idempotency-keys';
