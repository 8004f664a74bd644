import type { Caller, Permission } from '#platform/access';
import type { Bind } from '#platform/queries';
import type { ChangeEventTypeName } from './types';

/**
 * The permission to read what an event is about, by the first part of its type. Events of imports require that of their surface, and those of changes of
 * several participants that of the change. No key can
 * read other keys, so keys with permissions get no events about keys.
 */
const READS: Readonly<Record<string, Permission>> = {
  participant: 'participants:read',
  application: 'applications:read',
  booking: 'bookings:read',
  event_occurrence: 'catalogue:read',
  partner: 'partners:read',
  webhook_endpoint: 'webhooks:read',
};

/** Of jobs that change several participants, or give them bibs. */
const CHANGES: Permission = 'participants:write';

const subjectOf = (type: ChangeEventTypeName): string => type.slice(0, type.indexOf('.'));

/** Whether a key with these permissions can get events of the type. */
export const mayReceive = (permissions: readonly Permission[], type: ChangeEventTypeName): boolean =>
  subjectOf(type) === 'import'
    ? permissions.some((permission) => permission.endsWith(':import') || permission === CHANGES)
    : permissions.some((permission) => permission === READS[subjectOf(type)]);

/** What the type requires, for people. */
export const requiredFor = (type: ChangeEventTypeName): string =>
  subjectOf(type) === 'import'
    ? `the permission of an import, or ${CHANGES}`
    : READS[subjectOf(type)]
      ? `the permission ${READS[subjectOf(type)]}`
      : 'a key without permissions';

const CASES = Object.entries(READS).map(([subject, permission]) => `WHEN '${subject}' THEN '${permission}'`);

/**
 * The condition for events that a key can read: all that its permissions include, and of events about webhook endpoints those about its own.
 *
 * @param event the alias of the event
 * @param permissions an expression; null: the key reads every event
 * @param key an expression for the id of the key
 */
export const isReadable = (
  event: string,
  permissions: string,
  key: string,
): string => `(${permissions} IS NULL OR (
    CASE split_part(${event}.type, '.', 1)
      WHEN 'import' THEN CASE WHEN EXISTS (SELECT FROM import_jobs j
        WHERE j.organization_id = ${event}.organization_id AND j.id = ${event}.subject_id AND j.mode = 'CHANGE')
        THEN '${CHANGES}' ELSE left(${event}.data->>'surface', -6) || ':import' END
      ${CASES.join(' ')} END = ANY (${permissions})
    AND (split_part(${event}.type, '.', 1) <> 'webhook_endpoint' OR EXISTS (SELECT FROM webhook_endpoints own
      WHERE own.organization_id = ${event}.organization_id AND own.id = ${event}.subject_id AND own.api_key_id = ${key}))))`;

/** Whether a key works. Endpoints of keys with permissions end with their key. */
export const keyIsValid = (key: string): string =>
  `(${key}.revoked_at IS NULL AND (${key}.expires_at IS NULL OR ${key}.expires_at > clock_timestamp()))`;

/** The same for the caller of a request; nothing for a caller who reads every event. */
export const readableBy = ({ permissions, keyId }: Caller, bind: Bind): string | undefined =>
  permissions ? isReadable('t', `${bind(permissions)}::text[]`, `${bind(keyId)}::uuid`) : undefined;
