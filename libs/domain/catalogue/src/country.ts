import countries from 'i18n-iso-countries/index';
import { type Parameter, Rule } from '#platform/queries';

/** An ISO 3166 country code of two letters in any case; converted to lower case. */
export const country = (description: string, schema: { default?: string } = {}): Parameter<string> => ({
  read: (value) => {
    if (!/^[A-Za-z]{2}$/.test(value) || !countries.isValid(value)) {
      throw new Rule('must be a two-letter country code (ISO 3166), such as gb');
    }
    return value.toLowerCase();
  },
  description,
  schema: { type: 'string', pattern: '^[A-Za-z]{2}$', maxLength: 2, ...schema },
});
