import countries from 'i18n-iso-countries';
import { type Parameter, Rule } from '#libs/resources';

/** A country as ISO 3166 names it in two letters, capital or not; read in lower case. */
export const country = (description: string, schema: { default?: string } = {}): Parameter<string> => ({
  read: (value) => {
    if (!/^[A-Za-z]{2}$/.test(value) || !countries.isValid(value)) {
      throw new Rule('must be a two-letter country code (ISO 3166), such as gb');
    }
    return value.toLowerCase();
  },
  description,
  schema: { type: 'string', pattern: '^[A-Za-z]{2}$', ...schema },
});
