const LONGEST = 2_000;

/** What is wrong with an endpoint's URL, as the rest of a sentence that begins with `url`; undefined where nothing is. */
export function problemOfUrl(text: string, { allowHttp }: { allowHttp: boolean }): string | undefined {
  if (text.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return `must begin with https://${allowHttp ? ' or http://' : ''}`;
  }
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.hash) return 'must not contain a fragment';
  return undefined;
}
