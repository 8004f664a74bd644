/** The format of times in responses, with microseconds. JavaScript's dates have milliseconds. */
export const instantOf = (date: Date): string => date.toISOString().replace('Z', '000Z');
