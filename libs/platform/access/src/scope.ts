import type { StaffRole } from '#platform/database';
import type { Caller } from './caller';
import { IDENTITY, type OperationPermission, PARTNER_PERMISSIONS, type Permission } from './permissions';
import type { Surface } from './surfaces';
import type { KeyKind } from './tokens';

/** The access rules of an operation. */
export interface OperationAccess {
  /** The stable name, which restricted keys list. */
  name: string;
  /** The permitted kinds of key. */
  keys: readonly KeyKind[];
  /**
   * The permission that it requires of a key; of a list, one, and what it reaches is the matter of the record. Absent for operations that
   * no key can call.
   */
  permission?: OperationPermission | readonly Permission[];
  /**
   * Access of restricted keys: `always`; `occurrence`, if the path contains an occurrence; or `endpoint`, if the operation
   * is not tied to one. Absent: restricted keys get 403.
   */
  scoped?: 'always' | 'occurrence' | 'endpoint';
  /** Partners' keys can call the operation, because it shows a partner its own only. Absent: they get 403. */
  forPartners?: true;
  /** The surface of the operation. */
  surface?: Surface;
  /**
   * The staff roles that may call the operation. Absent: for reads of organizer keys, every role except RACE_DAY; for
   * changes, OWNER and MANAGER.
   */
  roles?: readonly StaffRole[];
  /** Whether read-only keys may call the operation; by default, if its method is GET. */
  readOnly?: boolean;
}

export interface Refusal {
  status: 401 | 403;
  message: string;
}

const ENDPOINT: Refusal = { status: 403, message: 'This key is not permitted to call this endpoint.' };
const OCCURRENCE: Refusal = {
  status: 403,
  message: 'This key is not permitted to access that event occurrence.',
};
const READ_ONLY: Refusal = {
  status: 403,
  message: 'This key is read-only: it is not permitted to call an endpoint that changes data.',
};

const PARTNER: Refusal = {
  status: 403,
  message: 'This key belongs to a partner: it is not permitted to call this endpoint.',
};

const ROLE: Refusal = {
  status: 403,
  message: 'Your role does not permit this. Ask an owner of the organization.',
};

/** Methods that change nothing. */
const SAFE = ['GET', 'HEAD'];

/**
 * The reason why the caller may not call the operation, if any. Does not read data.
 *
 * @param method the request's
 * @param occurrenceId the occurrence that the path names, if it does
 */
export function refusalOf(
  caller: Caller,
  operation: OperationAccess,
  method: string,
  occurrenceId?: string,
): Refusal | undefined {
  const changes = !(operation.readOnly ?? SAFE.includes(method));
  if (caller.kind === 'STAFF') {
    const { role } = caller;
    // A member of a partner can do what its keys can.
    if (caller.partner && isForPartners(operation)) return undefined;
    return role && rolesOf(operation, changes).includes(role) ? undefined : ROLE;
  }
  if (!operation.keys.includes(caller.kind)) return wrongKind(caller, operation);
  return (
    outOfScope(caller, operation, occurrenceId) ??
    (caller.partner && !isForPartners(operation) ? PARTNER : undefined) ??
    notPermitted(caller, operation) ??
    (caller.readOnly && changes ? READ_ONLY : undefined)
  );
}

/** Whether keys of partners can call the operation. */
export const isForPartners = ({ permission, forPartners }: OperationAccess): boolean =>
  forPartners === true &&
  permission !== undefined &&
  oneOf(permission).some((each) => each === IDENTITY || PARTNER_PERMISSIONS.includes(each));

const oneOf = (permission: OperationPermission | readonly Permission[]): readonly OperationPermission[] =>
  typeof permission === 'string' ? [permission] : permission;

/** An operation without a permission is refused to a key that has permissions. */
function notPermitted({ permissions }: Caller, { permission }: OperationAccess): Refusal | undefined {
  const wanted = oneOf(permission ?? []);
  if (!permissions || wanted.some((each) => each === IDENTITY || permissions.includes(each)))
    return undefined;
  return {
    status: 403,
    message: `This key does not have the permission ${wanted.join(' or ')}, which this endpoint requires.`,
  };
}

/** The roles of staff that may call an operation. */
export function rolesOf({ roles, keys }: OperationAccess, changes: boolean): readonly StaffRole[] {
  if (roles) return roles;
  if (!keys.includes('ORGANIZER')) return [];
  return changes ? ['OWNER', 'MANAGER'] : ['OWNER', 'MANAGER', 'VIEWER'];
}

/** The two restrictions of a key apply independently (docs/interface.md#organizations-and-keys). */
function outOfScope(caller: Caller, operation: OperationAccess, occurrenceId?: string): Refusal | undefined {
  const { eventOccurrenceIds, endpoints } = caller;
  // The occurrences of a timing key restrict participants, not operations.
  if (caller.kind === 'TIMING' || (!eventOccurrenceIds && !endpoints)) return undefined;
  if (operation.scoped === 'always') return undefined;
  if (!operation.scoped) return ENDPOINT;
  if (endpoints && !endpoints.includes(operation.name)) return ENDPOINT;
  if (!eventOccurrenceIds) return undefined;
  if (operation.scoped === 'endpoint') return ENDPOINT;
  return occurrenceId !== undefined && eventOccurrenceIds.includes(occurrenceId) ? undefined : OCCURRENCE;
}

function wrongKind(caller: Caller, operation: OperationAccess): Refusal {
  const timingOnly = operation.keys.length > 0 && operation.keys.every((kind) => kind === 'TIMING');
  const status = timingOnly ? 401 : 403;
  const wanted = operation.keys.join(' or ');
  if (!wanted)
    return { status: 403, message: 'This endpoint is for staff who are signed in to the console.' };
  return {
    status,
    message: `This endpoint takes a key of kind ${wanted}; this key's kind is ${caller.kind}.`,
  };
}
