const LONGEST = 254;

/** Text with one `@`, text on both sides, and no white space. Only a sent email can verify an address. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** @param text without surrounding white space */
export const isEmail = (text: string): boolean => text.length <= LONGEST && EMAIL.test(text);

/**
 * Normalizes an email address for comparison: removes surrounding white space (of Unicode), and converts it to NFC and
 * lower case, independent of the locale. Dots and `+tags` are significant.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().normalize('NFC').toLowerCase().normalize('NFC');
