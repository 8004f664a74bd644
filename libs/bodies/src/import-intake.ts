/** Provides the ImportIntake in programs that accept imports. */
export const IMPORT_INTAKE = Symbol('import intake');

/** Whether imports are accepted, before any byte of one is read. */
export interface ImportIntake {
  /** @throws ApiError 429 if the organization sent its bytes of the day, 503 if the database is nearly full */
  require(organizationId: string): Promise<void>;
}
