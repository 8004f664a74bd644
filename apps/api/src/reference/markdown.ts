/** HTML in Markdown is shown as text. Loaded when it is first used, because the api starts without it. */
function load() {
  const MarkdownIt = require('markdown-it') as typeof import('markdown-it');
  return new MarkdownIt();
}

let parser: ReturnType<typeof load> | undefined;
const markdown = () => (parser ??= load());

export const escaped = (text: unknown): string => markdown().utils.escapeHtml(String(text));

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** A heading of a page, and the text below it. */
export interface Section {
  title: string;
  anchor: string;
  text: string;
}

export interface Rendered {
  html: string;
  sections: Section[];
}

/**
 * Markdown as HTML. Headings get anchors, and code and tables can be scrolled by keyboard.
 *
 * @param below how many levels headings are lowered
 * @param link returns the target of a relative link
 */
export function render(
  text: string,
  { below = 0, link = (href) => href }: { below?: number; link?: (href: string) => string } = {},
): Rendered {
  const tokens = markdown().parse(text, {});
  const sections: Section[] = [];
  const used = new Map<string, number>();
  for (const [i, token] of tokens.entries()) {
    const inline = tokens[i + 1];
    if (token.type === 'heading_open' && inline) {
      const title = plain(inline.children ?? []);
      const slug = slugOf(title) || 'section';
      const before = used.get(slug) ?? 0;
      used.set(slug, before + 1);
      const anchor = before ? `${slug}-${before}` : slug;
      token.attrSet('id', anchor);
      sections.push({ title, anchor, text: '' });
    }
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + below)}`;
    }
    const last = sections.at(-1);
    if (last && token.content && tokens[i - 1]?.type !== 'heading_open') {
      last.text += ` ${token.children ? plain(token.children) : token.content}`;
    }
    for (const child of token.children ?? []) {
      if (child.type !== 'link_open') continue;
      const href = String(child.attrGet('href') ?? '');
      child.attrSet('href', /^(https?:|mailto:)/.test(href) ? href : link(href));
    }
  }
  const html = markdown()
    .renderer.render(tokens, markdown().options, {})
    // A header without text does not label a column.
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { html, sections };
}

/** Inline HTML for a single paragraph, without the `<p>` element. */
export const inline = (text: string): string =>
  text.includes('\n\n') ? render(text).html : markdown().renderInline(text.replaceAll('\n', ' '));

const plain = (tokens: { type: string; content: string }[]): string =>
  tokens.map(({ type, content }) => (/break/.test(type) ? ' ' : content)).join('');
