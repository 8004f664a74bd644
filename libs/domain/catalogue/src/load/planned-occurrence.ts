import type { RecordOf } from '../format/records';
import type { Draft } from './draft';

export type OccurrenceDraft = Draft<RecordOf<'occurrence'>>;
export interface PlannedOccurrence {
  draft: OccurrenceDraft;
  id: string;
  eventId: string;
}
