import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '#platform/config';
import { PublicRoute } from '#platform/http';
import { errors } from '#platform/validation';
import { CONTENT_SECURITY_POLICY } from '../content-security-policy';
import { REPOSITORY } from '../repository';
import { compressedFile, type ServedFile, sendFile, servedFile } from '../served-file';
import { EXAMPLES } from './guides';
import { Pages } from './pages';
import { SAMPLE_URL, WHEEL_PATH } from './samples';

const FOLDER = join(__dirname, 'page');
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
/** The clients of this release (build/pack-client.mjs, build/pack-python.mjs). */
const CLIENT = join(REPOSITORY, 'dist', 'client.tgz');
const PYTHON_CLIENT = join(REPOSITORY, 'dist', 'client.whl');
/** The operations for Postman (build/write-collection.mjs). */
const COLLECTION = join(REPOSITORY, 'dist', 'collection.json');
interface Asset {
  type: string;
  path: string;
}

/** The static files of the pages, by their names below `/docs/`. */
const ASSETS: Record<string, Asset> = {
  'favicon.svg': { type: 'image/svg+xml', path: join(FOLDER, 'favicon.svg') },
  'reference.css': { type: CSS, path: join(FOLDER, 'reference.css') },
  'reference.js': { type: SCRIPT, path: join(FOLDER, 'reference.js') },
  // Bundled (build/bundle.mjs).
  'search.js': { type: SCRIPT, path: join(REPOSITORY, 'dist', 'search.js') },
  ...Object.fromEntries(
    Object.entries(EXAMPLES).map(([name, path]) => [name, { type: PLAIN, path: join(REPOSITORY, path) }]),
  ),
};
/** For how long readers may keep security.txt. */
const SECURITY_DAYS = 90;
/** The name of the first page in Markdown. */
const INTRODUCTION = 'introduction';

/** Each document is made and compressed once, because anyone may read them. */
@Controller()
export class ReferenceController {
  private readonly document: string;
  private readonly files = new Map<string, Promise<ServedFile>>();
  private made: Pages | undefined;
  private readonly packages = new Map<string, ServedFile>();

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    const { PUBLIC_URL } = settings;
    const committed = readFileSync(join(REPOSITORY, 'openapi.json'), 'utf8');
    this.document = PUBLIC_URL
      ? committed.replace('"url": "/"', () => `"url": ${JSON.stringify(PUBLIC_URL)}`)
      : committed;
  }

  /** Links for clients that only know the address. */
  @Get()
  @PublicRoute()
  root(): Record<string, string> {
    return {
      name: 'Startline',
      reference: '/docs',
      openapi: '/openapi.json',
      changelog: '/changelog',
      assistants: '/llms.txt',
      client: '/client.tgz',
      python: WHEEL_PATH,
      collection: '/collection.json',
    };
  }

  @Get('openapi.json')
  @PublicRoute()
  async openapi(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendFile(await this.file('openapi.json', JSON_TYPE, () => this.document), request, response);
  }

  /** Public, because `npm` fetches it without a key. */
  @Get('client.tgz')
  @PublicRoute()
  client(@Req() request: Request, @Res() response: Response): void {
    this.sendPackage(CLIENT, 'application/gzip', request, response);
  }

  @Get(WHEEL_PATH)
  @PublicRoute()
  pythonClient(@Req() request: Request, @Res() response: Response): void {
    this.sendPackage(PYTHON_CLIENT, 'application/zip', request, response);
  }

  /** Read once and kept. */
  private sendPackage(path: string, type: string, request: Request, response: Response): void {
    let file = this.packages.get(path);
    if (!file) {
      if (!existsSync(path)) throw errors.noRoute('GET', request.path);
      file = servedFile(type, readFileSync(path));
      this.packages.set(path, file);
    }
    response.setHeader('cache-control', 'public, max-age=300');
    sendFile(file, request, response);
  }

  @Get('collection.json')
  @PublicRoute()
  async collection(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!existsSync(COLLECTION)) throw errors.noRoute('GET', request.path);
    const text = () =>
      readFileSync(COLLECTION, 'utf8').replaceAll(SAMPLE_URL, this.settings.PUBLIC_URL ?? SAMPLE_URL);
    sendFile(await this.file('collection.json', JSON_TYPE, text), request, response);
  }

  @Get('docs')
  @PublicRoute()
  reference(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.sendPage('', request, response);
  }

  /** The index of the pages for assistants. */
  @Get('llms.txt')
  @PublicRoute()
  async llms(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendFile(await this.file('llms.txt', PLAIN, () => this.pages.llms()), request, response);
  }

  /** All pages for assistants. */
  @Get('llms-full.txt')
  @PublicRoute()
  async llmsFull(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendFile(await this.file('llms-full.txt', PLAIN, () => this.pages.llmsFull()), request, response);
  }

  /** A page of the reference, in HTML or as Markdown, a static file, or the search index. */
  @Get('docs/:name')
  @PublicRoute()
  async page(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    const [, slug] = /^(.+)\.md$/.exec(name) ?? [];
    if (asset) await this.sendAsset(asset, request, response);
    else if (name === 'search.json')
      sendFile(await this.file(name, JSON_TYPE, () => this.pages.search()), request, response);
    else if (slug) await this.sendMarkdown(slug === INTRODUCTION ? '' : slug, request, response);
    else await this.sendPage(name, request, response);
  }

  @Get('changelog')
  @PublicRoute()
  changelog(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.sendPage('changelog', request, response);
  }

  /** Browsers ask for it, whatever the pages name. */
  @Get('favicon.ico')
  @PublicRoute()
  favicon(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.sendAsset(ASSETS['favicon.svg'] as Asset, request, response);
  }

  /** Where to report vulnerabilities (RFC 9116). */
  @Get('.well-known/security.txt')
  @PublicRoute()
  security(@Req() request: Request, @Res() response: Response): void {
    const { SECURITY_CONTACT: contact, PUBLIC_URL } = this.settings;
    if (!contact) throw errors.noRoute('GET', request.path);
    const expires = new Date();
    expires.setUTCHours(24 * SECURITY_DAYS, 0, 0, 0);
    const lines = [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, 'Preferred-Languages: en'];
    if (PUBLIC_URL) lines.push(`Canonical: ${new URL(request.path, PUBLIC_URL).href}`);
    sendFile(servedFile(PLAIN, Buffer.from(`${lines.join('\n')}\n`)), request, response);
  }

  private async sendAsset({ type, path }: Asset, request: Request, response: Response): Promise<void> {
    response.setHeader('cache-control', 'public, max-age=3600');
    const text = () => readFileSync(path, 'utf8');
    sendFile(await this.file(path, type, text), request, response);
  }

  private async sendPage(name: string, request: Request, response: Response): Promise<void> {
    if (!this.pages.has(name)) throw errors.noRoute('GET', request.path);
    const file = await this.file(`${name}.html`, HTML, () => this.pages.html(name));
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    sendFile(file, request, response);
  }

  private async sendMarkdown(slug: string, request: Request, response: Response): Promise<void> {
    if (!this.pages.has(slug)) throw errors.noRoute('GET', request.path);
    sendFile(await this.file(`${slug}.md`, MARKDOWN, () => this.pages.markdown(slug)), request, response);
  }

  /** Made at the first request, so that the start of the API does not wait for it. */
  private file(name: string, type: string, text: () => string | Promise<string>): Promise<ServedFile> {
    let file = this.files.get(name);
    if (!file) {
      file = Promise.resolve(text()).then((made) => compressedFile(type, made));
      this.files.set(name, file);
    }
    return file;
  }

  private get pages(): Pages {
    this.made ??= new Pages(REPOSITORY, JSON.parse(this.document), this.settings.PUBLIC_URL);
    return this.made;
  }
}
