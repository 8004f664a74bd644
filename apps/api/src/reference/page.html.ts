import type { Group } from './document';
import { escaped } from './markdown';

/** A page in the table of contents. */
interface Entry {
  slug: string;
  title: string;
}

/** The table of contents: lists of pages by heading. */
export type Contents<Each extends Entry = Entry> = [heading: string, pages: Each[]][];

/** Files beside the pages, for programs. */
const FILES = [
  ['/openapi.json', 'OpenAPI document'],
  ['/collection.json', 'Postman collection'],
  ['/llms.txt', 'For assistants'],
] as const;

export function pageHtml({ slug, title }: Entry, content: string, contents: Contents): string {
  const link = (path: string, text: string, isCurrent = false) =>
    `<li><a href="${path}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`;
  const pathOf = (to: string) => `/docs${to && `/${to}`}`;
  const lists = contents.map(([heading, pages], i) => {
    const links = pages.map((page) => link(pathOf(page.slug), page.title, page.slug === slug)).join('');
    return heading
      ? `<p class="heading" id="list-${i}">${escaped(heading)}</p><ul aria-labelledby="list-${i}">${links}</ul>`
      : `<ul>${links}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Startline API</title>
<link rel="icon" href="/docs/favicon.svg">
<link rel="alternate" type="text/markdown" href="/docs/${slug || 'introduction'}.md">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="/docs"><img src="/docs/favicon.svg" alt="" width="26" height="26">Startline API</a>
<search><label class="hidden" for="find">Search the reference</label><input id="find" type="search" placeholder="Search" aria-keyshortcuts="/" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Results" hidden></ul></search>
<button type="button" id="menu" aria-expanded="false" aria-controls="contents">Contents</button>
</header>
<nav id="contents" aria-label="Contents">
${lists.join('\n')}
<p class="heading" id="of-files">Files</p><ul aria-labelledby="of-files">${FILES.map(([path, text]) => link(path, text)).join('')}</ul>
</nav>
<main id="content" tabindex="-1">
${content}
<p class="top"><a href="#content">Back to the top</a></p>
</main>
</body>
</html>`;
}

/** A group: what it is for, its operations, and each of them. */
export function groupHtml({ title, operations }: Group, description: string, shown: string[]): string {
  const contents = operations.map(
    ({ operationId, summary, method, isSent }) =>
      `<li><a href="#${escaped(operationId)}"><span class="method ${method.toLowerCase()}">${isSent ? 'SENT' : method}</span> ${escaped(summary)}</a></li>`,
  );
  return `<header class="group"><h1>${escaped(title)}</h1>${description}<ul class="contents">${contents.join('')}</ul></header>${shown.join('')}`;
}
