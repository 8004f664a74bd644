/** @pattern ^[\p{L}\p{N}]([\p{L}\p{N} ._/-]{0,18}[\p{L}\p{N}])?$ */
export type BibNumber = string;

/** Letters, digits and ` ._/-`, 1 to 20 characters, with a letter or digit at both ends: as the comment above says. */
export const BIB_NUMBER = /^[\p{L}\p{N}]([\p{L}\p{N} ._/-]{0,18}[\p{L}\p{N}])?$/u;

export const BIB_NUMBER_RULE =
  'must be 1 to 20 letters, digits, spaces or . _ / -, and begin and end with a letter or digit';
