import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errors } from '#libs/errors';
import { PublicRoute } from '#libs/http';
import { Pages } from './pages';

/** Everything comes from this origin. There are no inline scripts or styles, and no HTML is made from text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** The race-day desk scans codes with the camera. Nothing that is embedded could use it, and nothing else is asked for. */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()';

const INDEX = 'index.html';
const UNCHANGED = 304;

/** The console's pages. Every address of it is answered with the same document, whose scripts read the address. */
@Controller('console')
export class PagesController {
  private readonly files = new Pages();

  @Get(['', 'redeem', 'sign-in', 'o/:organization', 'o/:organization/*page'])
  @PublicRoute()
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.files.refresh();
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('permissions-policy', PERMISSIONS);
    response.setHeader('cache-control', 'no-cache');
    this.send(INDEX, request, response);
  }

  /** Their names change with their content. */
  @Get('assets/:name')
  @PublicRoute()
  asset(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    this.send(`assets/${name}`, request, response);
  }

  private send(name: string, request: Request, response: Response): void {
    const file = this.files.get(name);
    if (!file) {
      for (const header of ['content-security-policy', 'permissions-policy', 'cache-control'])
        response.removeHeader(header);
      throw errors.noRoute('GET', request.path);
    }
    response.setHeader('etag', file.etag);
    response.setHeader('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === file.etag) {
      response.status(UNCHANGED).end();
      return;
    }
    const encoding = request.acceptsEncodings([...file.bodies.keys()].reverse()) || 'identity';
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
    response.setHeader('content-type', file.type);
    response.end(file.bodies.get(encoding) ?? file.bodies.get('identity'));
  }
}
