import { DateTime, Text } from '#platform/validation';
import { StaffEntry } from './staff-entries.dto';

/** A participant as staff see it in the list of participants. */
export class ListedParticipant extends StaffEntry {
  /** The title of the wave, if there is one. */
  @Text({ example: '10:00' }) waveTitle: string | null;
  @DateTime() updatedAt: string;
}
