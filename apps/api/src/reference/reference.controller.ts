import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '#libs/config';
import { errors } from '#libs/errors';
import { PublicRoute } from '#libs/http';
import { JsonText } from '#libs/resources';
import { CONTENT_SECURITY_POLICY } from '../content-security-policy';
import { REPOSITORY } from '../repository';
import { Pages } from './pages';

const ASSETS = join(__dirname, 'page');
/** The packed client of this release (build/pack-client.mjs). */
const CLIENT = join(REPOSITORY, 'dist', 'client.tgz');
/** The static files that the pages load. */
const ASSET_NAMES = new Set(['favicon.svg', 'reference.css', 'reference.js']);

@Controller()
export class ReferenceController {
  private readonly document: JsonText;
  private made: Pages | undefined;
  private client: { bytes: Buffer; etag: string } | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    const { PUBLIC_URL } = settings;
    const committed = readFileSync(join(REPOSITORY, 'openapi.json'), 'utf8');
    this.document = new JsonText([
      PUBLIC_URL ? committed.replace('"url": "/"', () => `"url": ${JSON.stringify(PUBLIC_URL)}`) : committed,
    ]);
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
      client: '/client.tgz',
    };
  }

  @Get('openapi.json')
  @PublicRoute()
  openapi(): JsonText {
    return this.document;
  }

  /** Read once and kept. Public, because `npm` fetches it without a key. */
  @Get('client.tgz')
  @PublicRoute()
  packedClient(@Req() request: Request, @Res() response: Response): void {
    if (!this.client) {
      if (!existsSync(CLIENT)) throw errors.noRoute('GET', request.path);
      const bytes = readFileSync(CLIENT);
      this.client = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
    }
    const { bytes, etag } = this.client;
    response.setHeader('etag', etag);
    response.setHeader('cache-control', 'public, max-age=300');
    if (request.headers['if-none-match'] === etag) response.status(304).end();
    else
      response
        .setHeader('content-type', 'application/gzip')
        .setHeader('content-length', bytes.length)
        .end(bytes);
  }

  @Get('docs')
  @PublicRoute()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  reference(): string {
    return this.pageOf('') as string;
  }

  /** A page of the reference, a static file, or the search index. */
  @Get('docs/:name')
  @PublicRoute()
  page(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const html = this.pageOf(name);
    if (ASSET_NAMES.has(name)) response.sendFile(name, { root: ASSETS, maxAge: '1h' });
    else if (name === 'search.json') response.type('application/json').send(this.pages.search);
    else if (html === undefined) throw errors.noRoute('GET', request.path);
    else response.type('html').setHeader('content-security-policy', CONTENT_SECURITY_POLICY).send(html);
  }

  @Get('changelog')
  @PublicRoute()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  changelog(): string {
    return this.pageOf('changelog') as string;
  }

  private pageOf(name: string): string | undefined {
    return this.pages.html.get(name);
  }

  /** Rendered at the first request, so that the start of the API does not wait for it. */
  private get pages(): Pages {
    this.made ??= new Pages(REPOSITORY, JSON.parse(this.document.pieces.join('')), this.settings.PUBLIC_URL);
    return this.made;
  }
}
