import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Group, groupsOf, type Schema } from './document';
import { type Guide, guideLink, guidesOf } from './guides';
import { escaped, render } from './markdown';
import { operationHtml } from './operation.html';
import { SAMPLE_URL } from './samples';
import { Schemas } from './schema.html';

/** A search entry: a URL and its words. */
interface Place {
  title: string;
  within: string;
  url: string;
  text: string;
}

/** A page, and where the search finds it. */
interface Rendered {
  title: string;
  content: string;
  places: Place[];
}

/** The pages of the reference, by the path below `/docs/`: '' for the first page. Each is rendered when it is asked for. */
export class Pages {
  private readonly groups: Group[];
  private readonly guides: Guide[];
  private readonly schemas: Schemas;
  private readonly renderers: Map<string, () => Rendered>;

  /** @param url the address in samples and guides; the page's own address unless given */
  constructor(
    private readonly root: string,
    private readonly document: Schema,
    private readonly url?: string,
  ) {
    this.schemas = new Schemas(document.components.schemas);
    this.groups = groupsOf(document);
    this.guides = guidesOf(root, document);
    this.renderers = new Map<string, () => Rendered>([
      ['', () => this.introduction()],
      ...this.guides.map((guide) => [guide.slug, () => this.guide(guide)] as const),
      ...this.groups.map((group) => [group.slug, () => this.group(group)] as const),
      ['changelog', () => this.changelog()],
    ]);
  }

  has(slug: string): boolean {
    return this.renderers.has(slug);
  }

  /** The HTML of a page that exists. */
  html(slug: string): string {
    const { title, content } = (this.renderers.get(slug) as () => Rendered)();
    return this.page(slug, title, content);
  }

  /** The search index, as JSON. Other requests are handled between two pages. */
  async search(): Promise<string> {
    const places: Place[] = [];
    for (const render of this.renderers.values()) {
      places.push(...render().places);
      await setImmediate();
    }
    return JSON.stringify(places.map((place) => ({ ...place, text: oneLine(place.text) })));
  }

  private introduction(): Rendered {
    const title = 'API reference';
    const { html, sections } = render(this.document.info.description, { below: 1, link: guideLink });
    return {
      title,
      content: `<article class="prose"><h1>Startline API</h1>${html}</article>`,
      places: sections.map((section) => placeOf(section, title, '/docs')),
    };
  }

  private guide({ slug, title, text }: Guide): Rendered {
    const { url } = this;
    const { html, sections } = render(url ? text.replaceAll(SAMPLE_URL, url) : text, { link: guideLink });
    return {
      title,
      content: `<article class="prose">${html}</article>`,
      places: sections.map((section) => placeOf(section, title, `/docs/${slug}`)),
    };
  }

  private group({ slug, title, description, operations }: Group): Rendered {
    const contents = operations.map(
      ({ operationId, summary, method, isSent }) =>
        `<li><a href="#${escaped(operationId)}"><span class="method ${method.toLowerCase()}">${isSent ? 'SENT' : method}</span> ${escaped(summary)}</a></li>`,
    );
    const shown = operations.map((operation) =>
      operationHtml(operation, this.schemas, this.document, this.url),
    );
    return {
      title,
      content: `<header class="group"><h1>${escaped(title)}</h1>${render(description, { link: guideLink }).html}<ul class="contents">${contents.join('')}</ul></header>${shown.join('')}`,
      places: operations.map((operation) => {
        const { operationId, summary, method, path, parameters, body, responses } = operation;
        const answers = Object.values(responses['200']?.content ?? {}) as { schema: Schema }[];
        const text = [
          ...[operationId, method, path, operation.description ?? ''],
          ...parameters.flatMap((each) => [each.name, each.description ?? '']),
          ...[body, ...answers].map((each) => (each ? this.schemas.words(each.schema) : '')),
        ].join(' ');
        return { title: summary, within: title, url: `/docs/${slug}#${operationId}`, text };
      }),
    };
  }

  private changelog(): Rendered {
    const { html } = render(readFileSync(join(this.root, 'CHANGELOG.md'), 'utf8'), { link: guideLink });
    return { title: 'Changelog', content: `<article class="prose">${html}</article>`, places: [] };
  }

  private page(slug: string, title: string, content: string): string {
    const link = ({ slug: to, title: text }: { slug: string; title: string }) =>
      `<li><a href="/docs${to && `/${to}`}"${to === slug ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Startline API</title>
<link rel="icon" href="/docs/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="/docs"><img src="/docs/favicon.svg" alt="" width="26" height="26">Startline API</a>
<search><label class="hidden" for="find">Search the reference</label><input id="find" type="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Results" hidden></ul></search>
<button type="button" id="menu" aria-expanded="false" aria-controls="contents">Contents</button>
</header>
<nav id="contents" aria-label="Contents">
<ul>${link({ slug: '', title: 'Introduction' })}</ul>
<p class="heading" id="of-guides">Guides</p><ul aria-labelledby="of-guides">${this.guides.map(link).join('')}</ul>
<p class="heading" id="of-groups">Operations</p><ul aria-labelledby="of-groups">${this.groups.map(link).join('')}</ul>
<p class="heading" id="of-more">More</p><ul aria-labelledby="of-more"><li><a href="/changelog"${slug === 'changelog' ? ' aria-current="page"' : ''}>Changelog</a></li><li><a href="/openapi.json">OpenAPI document</a></li></ul>
</nav>
<main id="content" tabindex="-1">
${content}
<p class="top"><a href="#content">Back to the top</a></p>
</main>
</body>
</html>`;
  }
}

const placeOf = (
  section: { title: string; anchor: string; text: string },
  within: string,
  page: string,
): Place => ({
  title: section.title,
  within,
  url: `${page}#${section.anchor}`,
  text: section.text,
});

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
