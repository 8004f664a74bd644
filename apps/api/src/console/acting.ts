import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#libs/audit';
import { requestOf } from '#libs/http';

/** The organization in which a staff member acts, and how the audit log names them. */
export interface Acting {
  organizationId: string;
  actor: Actor;
}

/** Who acts, for operations that are recorded in the audit log. */
export const Act = createParamDecorator((_: unknown, context: ExecutionContext): Acting => {
  const { caller, ip } = requestOf(context);
  const type = caller.kind === 'STAFF' ? 'STAFF' : 'KEY';
  return { organizationId: caller.organizationId, actor: { type, id: caller.keyId, origin: ip ?? null } };
});
