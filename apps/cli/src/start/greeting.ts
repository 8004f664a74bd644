/**
 * The text that `npm start` prints when everything runs.
 *
 * @param key the demo key's token, or a shell expression that yields it
 * @param link signs the demo's owner in to the console, once
 */
export const greeting = (
  url: string,
  logs: string,
  { key, link }: { key?: string; link?: string },
): string => `
  Startline is ready at  ${url}
  Console                ${link ?? `${url}/console`}
  API reference          ${url}/docs
  Logs                   ${logs}

${key ? firstCall(url, key) : '  Create a key          npm run startline -- key create --help'}

  Ctrl-C stops everything; the data stays for the next start.
`;

const firstCall = (url: string, key: string): string => `\
  A key of the organization "demo" and a first request:

  export KEY=${key}
  curl -s -H "Authorization: Bearer $KEY" "${url}/v0/event-occurrences?page%5Bsize%5D=2"`;
