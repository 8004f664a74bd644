/** The conversion of parameter values, which pg exports without types. */
declare module 'pg/lib/utils' {
  /** @throws if an object can't be written as JSON */
  export function prepareValue(value: unknown): string | Buffer | null;
}
