import type { Problem } from './problem';
import type { OrdinaryBody } from './read-body';
import type { BodyBounds } from './scan';

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
