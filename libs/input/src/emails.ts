const LONGEST = 254;

/** Text with one `@`, text on both sides, and no white space. Only a sent email can verify an address. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** @param text without surrounding white space */
export const isEmail = (text: string): boolean => text.length <= LONGEST && EMAIL.test(text);
