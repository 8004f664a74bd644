import { trimmed } from './compared';

const LONGEST = 254;

/** Text with one `@`, something on both sides, no white space, no empty label in the domain, and no scheme. Only a sent email can verify an address. */
const EMAIL = /^(?!mailto:)[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/iu;

/** @param text without surrounding white space */
export const isEmail = (text: string): boolean => text.length <= LONGEST && EMAIL.test(text);

/**
 * Normalizes an email address for comparison: removes white space and invisible characters around it, and converts it to NFC
 * and lower case, independent of the locale. Dots and `+tags` are significant, and `ß` is not `ss`.
 */
export const normalizeEmail = (email: string): string =>
  trimmed(email).normalize('NFC').toLowerCase().normalize('NFC');
