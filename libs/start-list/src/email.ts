/**
 * Normalizes an email address for comparison: removes surrounding white space (of Unicode), and converts it to NFC and
 * lower case, independent of the locale. Dots and `+tags` are significant.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().normalize('NFC').toLowerCase().normalize('NFC');
