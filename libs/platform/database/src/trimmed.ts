/** The characters that String.prototype.trim removes. */
const WHITE_SPACE =
  "E' \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'";

/** An SQL expression that trims text in the same way as `trim()` in JavaScript. */
export const trimmed = (text: string): string => `btrim(${text}, ${WHITE_SPACE})`;
