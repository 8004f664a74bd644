import type { StaffRole } from '#libs/database';
import type { Caller } from './caller';
import type { Surface } from './surfaces';
import type { KeyKind } from './tokens';

/** What an operation asks of its callers. */
export interface OperationAccess {
  /** Its stable name; scoped keys list it. */
  name: string;
  /** The kinds of key it takes. */
  keys: readonly KeyKind[];
  /**
   * Open to scoped keys: `always`; `occurrence`, where the path names one; or `endpoint`, tied to none.
   * Absent: scoped keys get 403.
   */
  scoped?: 'always' | 'occurrence' | 'endpoint';
  /** The restricted surface it belongs to. */
  surface?: Surface;
  /**
   * The roles of staff that may call it. Absent: what organizer keys may read, every role but RACE_DAY may; what they may
   * change, OWNER and MANAGER.
   */
  roles?: readonly StaffRole[];
  /** It changes nothing although its method is not GET: read-only keys may call it. */
  readOnly?: true;
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

const ROLE: Refusal = {
  status: 403,
  message: 'Your role does not permit this. Ask an owner of the organization.',
};

/** Methods that change nothing. */
const SAFE = ['GET', 'HEAD'];

/**
 * Why the key may not call the operation, if so; decided without reading any data.
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
  const changes = !SAFE.includes(method) && !operation.readOnly;
  if (caller.kind === 'STAFF') {
    const { role } = caller;
    return role && rolesOf(operation, changes).includes(role) ? undefined : ROLE;
  }
  if (!operation.keys.includes(caller.kind)) return wrongKind(caller, operation);
  return outOfScope(caller, operation, occurrenceId) ?? (caller.readOnly && changes ? READ_ONLY : undefined);
}

/** The roles of staff that may call an operation. */
export function rolesOf({ roles, keys }: OperationAccess, changes: boolean): readonly StaffRole[] {
  if (roles) return roles;
  if (!keys.includes('ORGANIZER')) return [];
  return changes ? ['OWNER', 'MANAGER'] : ['OWNER', 'MANAGER', 'VIEWER'];
}

/** A restricted key's two lists are enforced each on its own (contract, "Authentication" 6). */
function outOfScope(caller: Caller, operation: OperationAccess, occurrenceId?: string): Refusal | undefined {
  const { eventOccurrenceIds, endpoints } = caller;
  // A timing key's occurrences limit which participants it may name, not what it may call.
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
