import { StartlineError } from '../../api';
import { useTexts } from '../../texts';

/** `fields[2].value` is about the answer with this index. */
const ANSWER = /^(?:participant\.)?fields\[(\d+)\]/;

/**
 * The refusals of a form, each for its field by the path. `rest` is the error if it is about none of them.
 *
 * @param answers the keys of the questions in the order of the request's `fields`
 */
export function useRefusals(error: Error | null, fields: readonly string[], answers: readonly string[] = []) {
  const { codes } = useTexts().problems;
  const problems = error instanceof StartlineError ? error.problems : [];
  const found = new Map<string, string>();
  for (const { path, code, message } of problems) {
    const own = path.replace(/^(?:participant|discountCodes\[0\])\./, '');
    const index = ANSWER.exec(path)?.[1];
    const name =
      index === undefined
        ? fields.find(
            (each) => own === each || /^[.[]/.test(own.startsWith(each) ? own.slice(each.length) : ''),
          )
        : answers[Number(index)];
    if (name && !found.has(name)) found.set(name, codes[code] ?? message);
  }
  const isPlaced = problems.length > 0 && found.size > 0;
  return { of: (field: string) => found.get(field), rest: isPlaced ? null : error };
}
