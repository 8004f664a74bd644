import type { ListedParticipant, Participant } from '../api';

/** Staff see more of a participant than partners. */
type OfStaff = 'timeZone' | 'checkIn' | 'shippingStatus' | 'trackingNumber' | 'raceDayPending';

/** Whether answers that the start needs are missing, or the place was given back. */
export type State = 'open' | 'complete' | 'cancelled';

/** A participant of a list. */
export type Listed = Omit<ListedParticipant, OfStaff> & Partial<Pick<ListedParticipant, OfStaff>>;

/** Of a partner: with the group of the place, and the labels of what is missing. */
export interface ListedByPartner extends Listed {
  group: string | null;
  partner: string | null;
  missing: string[];
  /** Undefined while it is not known what the forms ask. */
  state: State | undefined;
}

const textOf = ({ fields }: Pick<Participant, 'fields'>, key: string): string | null => {
  const value = fields.find((field) => field.key === key)?.value;
  return typeof value === 'string' ? value : null;
};

/** A participant of the public list in the format of the list for staff. */
export const listed = (participant: Participant): Listed => ({
  id: participant.id,
  firstName: textOf(participant, 'firstName'),
  lastName: textOf(participant, 'lastName'),
  email: textOf(participant, 'email'),
  dateOfBirth: textOf(participant, 'dateOfBirth'),
  bibNumber: participant.bibNumber,
  eventOccurrenceId: participant.eventOccurrenceId,
  eventTitle: participant.eventName,
  raceTitle: participant.raceName,
  ticketTitle: participant.ticketTitle,
  waveTitle: participant.waves[0]?.title ?? null,
  cancelled: participant.statusDetails.some(({ status }) => status === 'CANCELLED'),
  gdprRedacted: participant.gdprRedacted,
  createdAt: participant.createdAt,
  updatedAt: participant.updatedAt,
});
