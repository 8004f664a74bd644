import type { ListedParticipant, Participant } from '../api';

type Found = Pick<
  ListedParticipant,
  | 'id'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'bibNumber'
  | 'eventOccurrenceId'
  | 'eventTitle'
  | 'raceTitle'
  | 'ticketTitle'
  | 'cancelled'
  | 'gdprRedacted'
>;

const textOf = ({ fields }: Pick<Participant, 'fields'>, key: string): string | null => {
  const value = fields.find((field) => field.key === key)?.value;
  return typeof value === 'string' ? value : null;
};

export const isCancelled = ({ statusDetails }: Pick<Participant, 'statusDetails'>): boolean =>
  statusDetails.some(({ status }) => status === 'CANCELLED');

/** A participant of the public list in the format of the list for staff. */
export const listed = (participant: Participant): Found => ({
  id: participant.id,
  firstName: textOf(participant, 'firstName'),
  lastName: textOf(participant, 'lastName'),
  email: textOf(participant, 'email'),
  bibNumber: participant.bibNumber,
  eventOccurrenceId: participant.eventOccurrenceId,
  eventTitle: participant.eventName,
  raceTitle: participant.raceName,
  ticketTitle: participant.ticketTitle,
  cancelled: isCancelled(participant),
  gdprRedacted: participant.gdprRedacted,
});
