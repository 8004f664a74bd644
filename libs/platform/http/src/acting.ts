import type { Actor, Caller } from '#platform/access';

/** The organization of a caller, and its name in the audit log. */
export interface Acting {
  organizationId: string;
  actor: Actor;
}

export function actingOf({ caller, ip }: { caller: Caller; ip?: string }): Acting {
  const type = caller.kind === 'STAFF' ? 'STAFF' : 'KEY';
  return { organizationId: caller.organizationId, actor: { type, id: caller.keyId, origin: ip ?? null } };
}
