import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/**
 * The pages of the reference by the path below `/docs/`; the path of the first page is empty. Rendered once from
 * openapi.json and the guides.
 */
export class Pages {
  readonly html = new Map<string, string>();
  readonly search: string;
  private readonly groups: Group[];
  private readonly guides: Guide[];

  /** @param url the address in samples and guides; the page's own address unless given */
  constructor(root: string, document: Schema, url?: string) {
    const schemas = new Schemas(document.components.schemas);
    this.groups = groupsOf(document);
    this.guides = guidesOf(root, document);
    const places: Place[] = [];

    const introduction = render(document.info.description, { below: 1, link: guideLink });
    this.add(
      '',
      'API reference',
      `<article class="prose"><h1>Startline API</h1>${introduction.html}</article>`,
    );
    for (const { title, anchor, text } of introduction.sections) {
      places.push({ title, within: 'API reference', url: `/docs#${anchor}`, text });
    }
    for (const { slug, title, text } of this.guides) {
      const { html, sections } = render(url ? text.replaceAll(SAMPLE_URL, url) : text, { link: guideLink });
      this.add(slug, title, `<article class="prose">${html}</article>`);
      for (const section of sections) {
        places.push({
          title: section.title,
          within: title,
          url: `/docs/${slug}#${section.anchor}`,
          text: section.text,
        });
      }
    }
    for (const { slug, title, description, operations } of this.groups) {
      const contents = operations.map(
        ({ operationId, summary, method, isSent }) =>
          `<li><a href="#${escaped(operationId)}"><span class="method ${method.toLowerCase()}">${isSent ? 'SENT' : method}</span> ${escaped(summary)}</a></li>`,
      );
      const shown = operations.map((operation) => operationHtml(operation, schemas, document, url));
      this.add(
        slug,
        title,
        `<header class="group"><h1>${escaped(title)}</h1>${render(description, { link: guideLink }).html}<ul class="contents">${contents.join('')}</ul></header>${shown.join('')}`,
      );
      for (const operation of operations) {
        const { operationId, method, path, parameters, body, responses } = operation;
        const answers = Object.values(responses['200']?.content ?? {}) as { schema: Schema }[];
        const text = [
          ...[operationId, method, path, operation.description ?? ''],
          ...parameters.flatMap((each) => [each.name, each.description ?? '']),
          ...[body, ...answers].map((each) => (each ? schemas.words(each.schema) : '')),
        ].join(' ');
        places.push({ title: operation.summary, within: title, url: `/docs/${slug}#${operationId}`, text });
      }
    }
    const changes = render(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), { link: guideLink });
    this.add('changelog', 'Changelog', `<article class="prose">${changes.html}</article>`);
    this.search = JSON.stringify(places.map((place) => ({ ...place, text: oneLine(place.text) })));
  }

  private add(slug: string, title: string, content: string): void {
    this.html.set(slug, this.page(slug, title, content));
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

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
