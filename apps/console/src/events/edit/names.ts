const MOST = 100;

const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss').toLowerCase();

/** A slug made of titles: letters and digits, joined by hyphens. */
export const slugFrom = (...titles: unknown[]): string =>
  plain(titles.filter(Boolean).join(' '))
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MOST)
    .replace(/-$/, '');

/** The key of a question, made of its label: `Emergency contact` is `emergencyContact`. */
export const keyFrom = (label: unknown): string =>
  plain(String(label ?? ''))
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('')
    .replace(/^[0-9]+/, '')
    .slice(0, 64);
