import { DateTime, Int } from '#platform/validation';
/** The bytes of imports that the organization can send in a day, which begins with the first of them. */
export class ImportAllowance {
  /** How many are allowed in a day, without compression. */
  @Int({ example: 2_000_000_000 }) allowedBytes: number;

  /** How many were accepted, in whole kilobytes for each import. If they are all of the allowed ones, imports get `429`. */
  @Int({ example: 18_350_112 }) usedBytes: number;

  /** When the next day begins. */
  @DateTime({ example: '2026-05-15T00:00:00.000000Z' }) resetsAt: string;
}
