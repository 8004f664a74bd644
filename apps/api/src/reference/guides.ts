import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from './document';

/** A page of the reference that is a document of the repository, or a part of the document's introduction. */
export interface Guide {
  slug: string;
  title: string;
  text: string;
}

/** The documents by heading, in the order of the table of contents; `file` is a path of the repository. */
const DOCUMENTS: Record<string, [slug: string, title: string, file: string][]> = {
  Guides: [
    ['quickstart', 'Quickstart', 'docs/quickstart.md'],
    ['keys', 'Keys', 'docs/keys.md'],
    ['sandbox', 'Sandboxes', 'docs/sandbox.md'],
    ['importing', 'Importing', 'docs/importing.md'],
    ['exporting', 'Exporting', 'docs/exporting.md'],
    ['syncing', 'Syncing', 'docs/syncing.md'],
    ['webhooks-guide', 'Receiving webhooks', 'docs/webhooks.md'],
    ['race-day', 'Race day', 'docs/race-day.md'],
    ['catalogue-files', 'Catalogue files', 'docs/catalogue-files.md'],
  ],
  Clients: [
    ['client', 'TypeScript client', 'docs/client.md'],
    ['python', 'Python client', 'clients/python/README.md'],
    ['assistants', 'Assistants', 'docs/assistants.md'],
  ],
  Rules: [
    ['interface', 'Interface rules', 'docs/interface.md'],
    ['domain-rules', 'Domain rules', 'docs/domain-rules.md'],
    ['limits', 'Limits', 'docs/limits.md'],
    ['glossary', 'Glossary', 'docs/glossary.md'],
    ['changelog', 'Changelog', 'CHANGELOG.md'],
  ],
};

/** Sections of the document's introduction that have a page of their own, among the rules. */
const PARTS: [slug: string, heading: string][] = [
  ['errors', 'Errors'],
  ['rate-limits', 'Rate limits'],
];

/** Files that guides refer to, by the name below `/docs/`. */
export const EXAMPLES: Record<string, string> = {
  'catalogue.jsonl': 'docs/examples/catalogue.jsonl',
  'receiver.mjs': 'docs/examples/webhook-receiver/receiver.mjs',
};

/** The guides by heading. */
export function guidesOf(root: string, { info }: Schema): [heading: string, guides: Guide[]][] {
  const parts = PARTS.map(([slug, heading]) => ({
    slug,
    title: heading,
    text: sectionOf(info.description, heading),
  }));
  return Object.entries(DOCUMENTS).map(([heading, documents]) => [
    heading,
    [
      ...documents.map(([slug, title, file]) => ({
        slug,
        title,
        text: readFileSync(join(root, file), 'utf8'),
      })),
      ...(heading === 'Rules' ? parts : []),
    ],
  ]);
}

/** From its heading to the next heading of the same level. */
function sectionOf(text: string, heading: string): string {
  const [, section] = new RegExp(`^(# ${heading}\\n.*?)(?=^# |(?![\\s\\S]))`, 'ms').exec(text) ?? [];
  if (!section) throw new Error(`The introduction of openapi.json has no section "${heading}"`);
  return section;
}

/** The target of a link of a document on this server. Throws if it has none, so that no guide loses a link. */
export function guideLink(href: string): string {
  if (href.startsWith('/') || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const name = path.replace(/^(\.\.?\/)*/, '');
  if (name === 'openapi.json') return '/openapi.json';
  const is = (file: string) => file === name || file === `docs/${name}`;
  const example = Object.keys(EXAMPLES).find((each) => is(EXAMPLES[each] as string));
  if (example) return `/docs/${example}`;
  const found = Object.values(DOCUMENTS)
    .flat()
    .find(([, , file]) => is(file));
  if (!found) throw new Error(`A guide has a link to "${href}", which is on no page of the reference`);
  return `/docs/${found[0]}${anchor ? `#${anchor}` : ''}`;
}
