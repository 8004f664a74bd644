/**
 * The path of a link that signs a member in once. The token is in the fragment, which browsers do not send: it reaches no
 * log of a server or proxy.
 */
export const consolePathOf = (slug: string, token: string): string =>
  `/console/redeem#${new URLSearchParams({ organization: slug, token })}`;
