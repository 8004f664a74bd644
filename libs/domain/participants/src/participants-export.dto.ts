import { Id, Value } from '#platform/validation';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Participants that somebody chose. */
export class ChosenParticipants {
  @Id({ minItems: 1, maxItems: 500 }) participantIds: string[];

  /** `csv`, or `ndjson`. */
  @Value({ default: 'csv' }) format?: ExportFormat;
}
