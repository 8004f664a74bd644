/** The latest date of birth. */
export const today = (): string => new Date().toISOString().slice(0, 10);
