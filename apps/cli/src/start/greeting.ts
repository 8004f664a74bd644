/** What `npm start` says once everything runs. */
export const greeting = (url: string, logs: string, token: string | undefined): string => `
  Startline is ready at  ${url}
  API reference          ${url}/docs
  Logs                   ${logs}

${token ? firstCall(url, token) : '  A key: npm run startline -- key create --help'}

  Ctrl-C stops everything; the data stays for the next start.
`;

const firstCall = (url: string, token: string): string => `\
  A key of the organization "demo", and a first call:

  export KEY=${token}
  curl -s -H "Authorization: Bearer $KEY" "${url}/v0/event-occurrences?page%5Bsize%5D=2"`;
