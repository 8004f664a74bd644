import { type Problem, problem } from '#platform/import-rows';
import { jsonBytes, MOST_BYTES } from '#platform/validation';

/**
 * The bytes of what an entry contains of its own, with its booking. A choice of a participant to hear from a charity shows the
 * charity's name.
 *
 * @param contents without the choices' names
 */
export const entryBytes = (
  contents: unknown,
  optIns: readonly { optedIn?: unknown }[] | null | undefined,
): number => jsonBytes(contents) + (optIns ?? []).filter(({ optedIn }) => optedIn).length * MOST_BYTES.title;

/** An entry that was larger before may stay so. @param path of the participant in the row, if it is not the only one */
export const problemOfBytes = (bytes: number, path: string, before = 0): Problem | undefined =>
  bytes > Math.max(MOST_BYTES.entry, before)
    ? problem(
        path,
        'TOO_LARGE',
        `would have ${bytes} bytes of JSON with its booking, and must not have more than ${MOST_BYTES.entry}`,
        path || 'The participant',
      )
    : undefined;
