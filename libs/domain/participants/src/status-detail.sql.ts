import { instant } from '#platform/queries';

/** A status with its reason and time, as `status_details` has it. The parameters are SQL expressions. */
export const statusDetail = (status: string, reason: string, at = 'clock_timestamp()'): string =>
  `jsonb_build_object('status', ${status}, 'reason', ${reason}, 'at', ${instant(at)})`;
