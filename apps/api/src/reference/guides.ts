import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from './document';

/** A guide: a page of the reference that is a document of the repository, or a part of the document's introduction. */
export interface Guide {
  slug: string;
  title: string;
  text: string;
}

/** In the order of the table of contents; the files are beside the other documents. */
const FILES: [slug: string, title: string, file: string][] = [
  ['quickstart', 'Quickstart', 'quickstart.md'],
  ['importing', 'Importing', 'importing.md'],
  ['exporting', 'Exporting', 'exporting.md'],
  ['catalogue-files', 'Catalogue files', 'catalogue-files.md'],
  ['syncing', 'Syncing', 'syncing.md'],
  ['webhooks-guide', 'Receiving webhooks', 'webhooks.md'],
  ['race-day', 'Race day', 'race-day.md'],
  ['client', 'TypeScript client', 'client.md'],
  ['interface', 'Interface rules', 'interface.md'],
  ['domain-rules', 'Domain rules', 'domain-rules.md'],
  ['limits', 'Limits', 'limits.md'],
];

/** Sections of the document's introduction that have a page of their own. */
const PARTS: [slug: string, heading: string][] = [
  ['errors', 'Errors'],
  ['rate-limits', 'Rate limits'],
];

export function guidesOf(root: string, { info }: Schema): Guide[] {
  const files = FILES.map(([slug, title, file]) => ({
    slug,
    title,
    text: readFileSync(join(root, 'docs', file), 'utf8'),
  }));
  const parts = PARTS.map(([slug, heading]) => ({
    slug,
    title: heading,
    text: sectionOf(info.description, heading),
  }));
  return [...files, ...parts];
}

/** From its heading to the next heading of the same level. */
function sectionOf(text: string, heading: string): string {
  const [, section] = new RegExp(`^(# ${heading}\\n.*?)(?=^# |(?![\\s\\S]))`, 'ms').exec(text) ?? [];
  if (!section) throw new Error(`The introduction of openapi.json has no section "${heading}"`);
  return section;
}

/** The target of a relative link of a document on this server; undefined if the server does not serve it. */
export function guideLink(href: string): string | undefined {
  if (href.startsWith('/') || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const name = path.replace(/^(\.\.?\/)*(docs\/)?/, '');
  if (name === 'CHANGELOG.md') return '/changelog';
  if (name === 'openapi.json') return '/openapi.json';
  const found = FILES.find(([, , file]) => file === name);
  return found && `/docs/${found[0]}${anchor ? `#${anchor}` : ''}`;
}
