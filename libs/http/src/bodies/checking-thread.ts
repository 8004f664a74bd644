import type { BodyBounds, OrdinaryBody, Problem } from '#libs/bodies';

/** Provides the CheckingThread, in programs that have one. */
export const CHECKING_THREAD = Symbol('checking thread');

/** Checks bodies away from the event loop. */
export interface CheckingThread {
  /**
   * @param organizationId organizations take turns
   * @param bytes move to the thread where they can: use those that come back
   */
  checkBody(
    organizationId: string,
    body: OrdinaryBody,
    bytes: Buffer,
    bounds: BodyBounds,
  ): Promise<{ problems: Problem[]; bytes: Buffer }>;
}
