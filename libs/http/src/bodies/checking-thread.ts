import type { BodyBounds, OrdinaryBody, Problem } from '#libs/bodies';

/** Provides the CheckingThread, in programs that have one. */
export const CHECKING_THREAD = Symbol('checking thread');

/** Checks bodies away from the event loop. */
export interface CheckingThread {
  /**
   * @param bytes move to the thread where they can: use those that come back
   * @param organizationId whose body it is
   */
  checkBody(
    body: OrdinaryBody,
    bytes: Buffer,
    bounds: BodyBounds,
    organizationId: string,
  ): Promise<{ problems: Problem[]; bytes: Buffer }>;
}
