/** The first answer to a question with the key or of the type. */
const answered = (column: 'key' | 'type', value: string) =>
  `(array_agg(f.value) FILTER (WHERE f.${column} = '${value}'))[1]`;

/**
 * A join of `person`: who an entry is of. Two entries with a birth date are of the same person if `name` and `birth_date` agree, and
 * `email` or `phone`: less than that can be a twin or a namesake.
 *
 * @param entry its alias
 */
export const joinPerson = (entry: string) => `CROSS JOIN LATERAL (
        SELECT compared_name(concat(said.first_name, ' ', said.last_name)) AS name, said.birth_date, ${entry}.email_normalized AS email,
          nullif(regexp_replace(regexp_replace(said.phone, '[^0-9]', '', 'g'), '^00', ''), '') AS phone
        FROM (
          SELECT ${answered('key', 'firstName')} AS first_name, ${answered('key', 'lastName')} AS last_name,
            ${answered('key', 'dateOfBirth')} AS birth_date, ${answered('type', 'PHONE')} AS phone
          FROM json_to_recordset(${entry}.fields) AS f (key text, type text, value text)
        ) said
      ) person`;
