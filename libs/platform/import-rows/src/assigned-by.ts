import { NIL_ID } from '#platform/validation';

/** Whose external ids of assignments these are: zeros for the organizer's. */
export const assignedBy = (partnerId: string | null): string => partnerId ?? NIL_ID;
