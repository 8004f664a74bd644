import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import MarkdownIt from 'markdown-it';
import { SETTINGS, type Settings } from '#libs/config';
import { errors } from '#libs/errors';
import { PublicRoute } from '#libs/http';
import { JsonText } from '#libs/resources';
import { REPOSITORY } from '../repository';

const PAGE = join(__dirname, 'page');
const SWAGGER = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The assets of the pages. Nothing is loaded from other hosts. */
const ASSETS = new Map([
  ['favicon.svg', PAGE],
  ['reference.css', PAGE],
  ['reference.js', PAGE],
  ['swagger-ui.css', SWAGGER],
  ['swagger-ui-bundle.js', SWAGGER],
]);

/** Permits inline styles, which Swagger UI uses. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

@Controller()
export class ReferenceController {
  private readonly document: JsonText;
  private readonly docs = readFileSync(join(PAGE, 'docs.html'), 'utf8');
  private readonly changes = changelog();

  constructor(@Inject(SETTINGS) { PUBLIC_URL }: Settings) {
    const committed = readFileSync(join(REPOSITORY, 'openapi.json'), 'utf8');
    this.document = new JsonText([
      PUBLIC_URL ? committed.replace('"url": "/"', () => `"url": ${JSON.stringify(PUBLIC_URL)}`) : committed,
    ]);
  }

  /** Links for clients that only know the address. */
  @Get()
  @PublicRoute()
  root(): Record<string, string> {
    return { name: 'Startline', reference: '/docs', openapi: '/openapi.json', changelog: '/changelog' };
  }

  @Get('openapi.json')
  @PublicRoute()
  openapi(): JsonText {
    return this.document;
  }

  @Get('docs')
  @PublicRoute()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  reference(): string {
    return this.docs;
  }

  @Get('docs/:asset')
  @PublicRoute()
  asset(@Param('asset') asset: string, @Req() request: Request, @Res() response: Response): void {
    const root = ASSETS.get(asset);
    if (!root) throw errors.noRoute('GET', request.path);
    response.sendFile(asset, { root, maxAge: '1h' });
  }

  @Get('changelog')
  @PublicRoute()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  changelog(): string {
    return this.changes;
  }
}

function changelog(): string {
  const content = new MarkdownIt().render(readFileSync(join(REPOSITORY, 'CHANGELOG.md'), 'utf8'));
  return readFileSync(join(PAGE, 'changelog.html'), 'utf8').replace('{{content}}', () => content);
}
