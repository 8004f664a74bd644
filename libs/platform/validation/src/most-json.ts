/** JSON Schema's `maxLength` for a value of any type: the characters of its JSON. */
export const MOST_JSON_CHARACTERS = 'x-mostJsonCharacters';

/** In responses: the most bytes of a record's JSON. */
export const MOST_JSON_BYTES = 'x-mostJsonBytes';
