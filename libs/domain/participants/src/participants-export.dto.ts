import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsUUID } from 'class-validator';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Participants that somebody chose. */
export class ChosenParticipants {
  /**
   * @minItems 1
   * @maxItems 500
   * @format uuid
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @IsUUID('all', { each: true })
  participantIds: string[];

  /**
   * `csv`, or `ndjson`.
   * @default csv
   */
  @IsOptional()
  @IsIn(EXPORT_FORMATS)
  format?: ExportFormat;
}
