/** 1 to 20 printable characters, without a space at either end. */
export const BIB_NUMBER =
  /^[\p{L}\p{M}\p{N}\p{P}\p{S}]([\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,18}[\p{L}\p{M}\p{N}\p{P}\p{S}])?$/u;

export const BIB_NUMBER_RULE =
  'must be 1 to 20 printable characters, without a space at the beginning or end';
