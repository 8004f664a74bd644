/**
 * An email address as it is compared: without surrounding white space (every character that Unicode calls so),
 * composed (NFC), in lower case by Unicode's own mapping, whatever the locale. The same text in any of these
 * spellings gives the same result; nothing else about addresses is assumed (dots and `+tags` count).
 */
export const normalizeEmail = (email: string): string =>
  email.trim().normalize('NFC').toLowerCase().normalize('NFC');
