import { setImmediate } from 'node:timers/promises';
import { type Group, groupsOf, type Schema } from './document';
import { type Guide, guideLink, guidesOf } from './guides';
import { render, type Section } from './markdown';
import { type Described, described, flat } from './operation';
import { operationHtml } from './operation.html';
import { operationsMarkdown } from './operation.md';
import { type Contents, groupHtml, pageHtml } from './page.html';
import { SAMPLE_URL } from './samples';
import { Schemas } from './schema';

/** A search entry: a URL and its words. */
interface Place {
  kind: 'guide' | 'changelog' | 'operation' | 'property';
  title: string;
  /** Of an operation: its name for programs. */
  name?: string;
  within: string;
  url: string;
  text: string;
}

/** A page of the reference, by the path below `/docs/`. What it contains is made when it is asked for. */
interface Page {
  slug: string;
  title: string;
  /** A sentence about it. */
  about: string;
  markdown(): string;
  html(): string;
  places(): Place[];
}

/** The pages of the reference, by the path below `/docs/`: '' for the first page. */
export class Pages {
  private readonly schemas: Schemas;
  private readonly pages: Map<string, Page>;
  private readonly contents: Contents<Page>;

  /** @param url the address in samples and guides; the page's own address unless given */
  constructor(
    root: string,
    private readonly document: Schema,
    private readonly url?: string,
  ) {
    this.schemas = new Schemas(document.components.schemas);
    const introduction = this.introduction();
    const guides = guidesOf(root, document).map(([heading, list]): [string, Page[]] => [
      heading,
      list.map((guide) => this.guide(guide)),
    ]);
    const groups = groupsOf(document).map((group) => this.group(group));
    this.contents = [['', [introduction]], ...guides, ['Operations', groups]];
    const all = [introduction, ...guides.flatMap(([, list]) => list), ...groups];
    this.pages = new Map(all.map((page) => [page.slug, page]));
  }

  has(slug: string): boolean {
    return this.pages.has(slug);
  }

  /** The HTML of a page that exists. */
  html(slug: string): string {
    const page = this.pages.get(slug) as Page;
    return pageHtml(page, page.html(), this.contents);
  }

  /** A page that exists as Markdown, whose links lead to Markdown too. */
  markdown(slug: string): string {
    const text = (this.pages.get(slug) as Page).markdown();
    const linked = text.replace(/(?<=\]\()[^\s)]+(?=\))/g, (href) =>
      isElsewhere(href) ? href : markdownLink(href),
    );
    return `${(this.url ? linked.replaceAll(SAMPLE_URL, this.url) : linked).trim()}\n`;
  }

  /** The index for assistants (llmstxt.org): what there is, and where. */
  llms(): string {
    const lists = this.contents.map(([heading, pages]) =>
      [
        ...(heading ? [`## ${heading}`, ''] : []),
        ...pages.map(
          ({ slug, title, about }) => `- [${title}](${this.url ?? ''}${markdownPath(slug)}): ${about}`,
        ),
      ].join('\n'),
    );
    return `# Startline

> ${sentenceOf(this.document.info.description)}

All of these pages are in [llms-full.txt](${this.url ?? ''}/llms-full.txt), and the OpenAPI document is [openapi.json](${this.url ?? ''}/openapi.json).

${lists.join('\n\n')}
`;
  }

  /** Every page as Markdown. Other requests are handled between two pages. */
  async llmsFull(): Promise<string> {
    const texts: string[] = [];
    for (const slug of this.pages.keys()) {
      texts.push(this.markdown(slug));
      await setImmediate();
    }
    return texts.join('\n');
  }

  /** What the search finds, as JSON. Other requests are handled between two pages. */
  async search(): Promise<string> {
    const places = new Map<string, Place>();
    for (const page of this.pages.values()) {
      for (const place of page.places()) {
        const { kind, title, text, url } = place;
        // Many operations have the same property: the first one stands for them.
        const known = kind === 'property' ? `${title} ${text}` : url;
        if (!places.has(known)) places.set(known, { ...place, text: plain(text) });
      }
      await setImmediate();
    }
    return JSON.stringify([...places.values()]);
  }

  private introduction(): Page {
    const { description } = this.document.info;
    return this.prose('', 'Introduction', `# Startline API\n\n${description.replace(/^#/gm, '##')}`);
  }

  private guide({ slug, title, text }: Guide): Page {
    return this.prose(slug, title, text);
  }

  private prose(slug: string, title: string, text: string): Page {
    const { url } = this;
    const rendered = () => render(url ? text.replaceAll(SAMPLE_URL, url) : text, { link: guideLink });
    return {
      slug,
      title,
      about: sentenceOf(text),
      markdown: () => text,
      html: () => `<article class="prose">${rendered().html}</article>`,
      places: () =>
        rendered().sections.map((section) => placeOf(section, title, `/docs${slug && `/${slug}`}`)),
    };
  }

  private group(group: Group): Page {
    const { slug, title, description } = group;
    const all = () => group.operations.map((each) => described(each, this.schemas, this.document));
    return {
      slug,
      title,
      about: sentenceOf(description),
      markdown: () => [`# ${title}`, description, operationsMarkdown(all(), this.url)].join('\n\n'),
      html: () =>
        groupHtml(
          group,
          render(description, { link: guideLink }).html,
          all().map((each) => operationHtml(each, this.url)),
        ),
      places: () => all().flatMap((each) => operationPlaces(each, title, `/docs/${slug}`)),
    };
  }
}

/** Of the operation, and of each of its parameters and properties. */
function operationPlaces(
  { operation, parameters, body, answer }: Described,
  within: string,
  page: string,
): Place[] {
  const { operationId, method, path, description = '', summary } = operation;
  const url = `${page}#${operationId}`;
  const properties = [
    ...parameters.flatMap(([, list]) => list),
    ...flat(body),
    ...flat(answer?.shapes ?? []),
  ];
  return [
    {
      kind: 'operation',
      title: summary,
      name: operationId,
      within,
      url,
      text: [method, path, description].join(' '),
    },
    ...properties.map(
      ({ name, kind, text }): Place => ({
        kind: 'property',
        ...{ title: name, within: summary, url, text: [text, kind].filter(Boolean).join(' ') },
      }),
    ),
  ];
}

const placeOf = ({ title, anchor, text }: Section, within: string, page: string): Place => ({
  kind: page.endsWith('/changelog') ? 'changelog' : 'guide',
  title,
  within,
  url: `${page}#${anchor}`,
  text,
});

/** The first sentence below the heading, without links. */
function sentenceOf(text: string): string {
  const [paragraph = ''] = text
    .replace(/^# .*\n+/, '')
    .split(/\n\n/)
    .filter((each) => /^[\p{L}`]/u.test(each));
  const words = withoutLinks(paragraph);
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words;
}

const isElsewhere = (href: string): boolean => /^(https?:|mailto:|#)/.test(href);

const markdownPath = (slug: string): string => `/docs/${slug || 'introduction'}.md`;

function markdownLink(href: string): string {
  const [path = '', anchor] = guideLink(href).split('#');
  const [, slug] = /^\/docs(?:\/([\w-]+))?$/.exec(path) ?? [];
  const target = path.startsWith('/docs') && !path.includes('.') ? markdownPath(slug ?? '') : path;
  return anchor ? `${target}#${anchor}` : target;
}

const withoutLinks = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

const plain = (markdown: string): string => withoutLinks(markdown).replaceAll('`', '');
