import type { Problem } from './problem';
import type { OrdinaryBody } from './read-body';
import type { BodyBounds } from './scan';

/** Provides the CheckingThread in programs that have one. */
export const CHECKING_THREAD = Symbol('checking thread');

/** Checks bodies away from the event loop. */
export interface CheckingThread {
  /**
   * @param organizationId organizations take turns
   * @param bytes are transferred to the thread if possible: use the returned bytes
   */
  checkBody(
    organizationId: string,
    body: OrdinaryBody,
    bytes: Buffer,
    bounds: BodyBounds,
  ): Promise<{ problems: Problem[]; bytes: Buffer }>;
}
