/** Provides the ImportIntake in programs that accept imports. */
export const IMPORT_INTAKE = Symbol('import intake');

/** Who sends an import. */
export interface ImportSender {
  organizationId: string;
  /** The partner of the key. Its parent shares the bytes of the day with it. */
  partner: { id: string; parentId: string | null } | null;
}

/** Whether imports are accepted, before any byte of one is read. */
export interface ImportIntake {
  /** @throws ApiError 429 if the organization or partner sent its bytes of the day, 503 if the database is nearly full */
  require(sender: ImportSender): Promise<void>;
}
