const LONGEST = 254;

/** One `@` with something on both sides, and no white space. Whether mail arrives there, only mail can tell. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** @param text without surrounding white space */
export const isEmail = (text: string): boolean => text.length <= LONGEST && EMAIL.test(text);
