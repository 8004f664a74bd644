const ADDRESS = /[^\s"'\\/<>()[\]:,;@]{1,64}@[\w-]{1,63}(\.[\w-]{1,63}){0,8}/g;
const TOKEN = /eyJ[\w-]{4,2048}\.[\w-]{1,4096}(\.[\w-]{0,1024})?/g;

/**
 * The last protection against logging email addresses, tokens, and passwords in URLs by mistake. Lines without `@` and
 * `eyJ` cost two searches.
 */
export function masked(line: string): string {
  const unnamed = line.includes('@') ? line.replace(ADDRESS, '[masked]') : line;
  return unnamed.includes('eyJ') ? unnamed.replace(TOKEN, '[masked]') : unnamed;
}
