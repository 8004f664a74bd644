import { isProofOf, proofOf } from '#platform/access';
import type { StaffMember } from '#platform/database';
import { isId } from '#platform/validation';

const MINUTE_MS = 60_000;
/** The lifetime of a mailed link. */
export const RESET_MINUTES = 60;

/**
 * The tokens of links that are mailed to members who forgot their password. Nothing is stored: a token is signed together with the
 * member's present password and last sign-in, so it works once, and not after either has changed.
 */
export class ResetTokens {
  /** @param secrets the first signs, all are accepted */
  constructor(private readonly secrets: readonly { secret: string }[]) {}

  newFor(member: StaffMember): string {
    const expires = String(Date.now() + RESET_MINUTES * MINUTE_MS);
    return [member.id, expires, proofOf(this.secrets, wordsOf(member, expires))].join('.');
  }

  /** Whom a token is for; `undefined` for other tokens, and for one that has expired. It may be forged. */
  memberIdOf(token: string): string | undefined {
    const [id = '', expires = ''] = token.split('.');
    return isId(id) && Number(expires) > Date.now() ? id : undefined;
  }

  isOf(member: StaffMember, token: string): boolean {
    const [, expires = '', proof = ''] = token.split('.');
    return isProofOf(this.secrets, wordsOf(member, expires), proof);
  }
}

const wordsOf = ({ organizationId, id, passwordHash, lastSignedInAt }: StaffMember, expires: string) => [
  ...['startline reset', organizationId, id],
  ...[passwordHash, lastSignedInAt, expires],
];
