/** Of the scheme, user information, host and port together. A host name has at most 253 characters. */
const LONGEST_ORIGIN = 300;

const SCHEME = /^[a-z][a-z\d+.-]*:[/\\]*/i;

/**
 * Whether the text is an absolute URL. Only the part before the path can make a URL invalid, so only that is parsed: the
 * time that `URL` takes for a host grows with the square of its length.
 */
export function isUrl(text: string): boolean {
  const url = text.trim();
  const before = SCHEME.exec(url)?.[0].length ?? 0;
  const authority = url.slice(before).search(/[/?#\\]/);
  const origin = authority < 0 ? url : url.slice(0, before + authority);
  if (before === 0 || origin.length > LONGEST_ORIGIN || /[\t\n\r]/.test(origin)) return false;
  return URL.canParse(origin);
}
