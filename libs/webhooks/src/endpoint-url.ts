const LONGEST = 2_000;

/** The broken rule of an endpoint's URL, for a message that begins with `url`; `undefined` if the URL is valid. */
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
