/**
 * The path of a link that signs a member in once. The token is in the fragment, which browsers do not send, so no log
 * of a server or proxy contains it.
 */
export const consolePathOf = (slug: string, token: string): string =>
  `/console/redeem#${new URLSearchParams({ organization: slug, token })}`;
