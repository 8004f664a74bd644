import { problem } from '#platform/import-rows';
import type { ChangeOfJob } from './participant-change.dto';

/** A row of a job that changes participants. */
export interface ChangeRow {
  participantId: string;
  change: ChangeOfJob & { bibNumber?: string | null };
  /** Of an undo: the wave that the undone change gave; a participant with another one has changed since. */
  ifWaveId?: string | null;
  /** Of `BIB`: the race that the bib is of. */
  raceId?: string;
  /** Of `BIB`: the bib that the participant must have; absent: none. */
  ifBibNumber?: string | null;
}

export const CANCELLED = problem('', 'NOT_CORRECTABLE', 'The participant is cancelled.');
export const MISSING = problem('', 'PARTICIPANT_NOT_FOUND', 'There is no such participant.');
