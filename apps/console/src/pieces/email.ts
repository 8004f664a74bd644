/**
 * For the field of an email address. With `type="email"`, browsers refuse addresses that the API accepts, and some write a domain in
 * another way than it was typed.
 */
export const EMAIL_INPUT = {
  type: 'text',
  inputMode: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;
