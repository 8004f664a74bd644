import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicRoute } from '#platform/http';
import { errors } from '#platform/validation';
import { CONTENT_SECURITY_POLICY } from '../../content-security-policy';
import { sendFile } from '../../served-file';
import { Pages } from './pages';

/** The console makes no HTML from text either. Of WebAssembly, it loads the reader of codes. */
const POLICY = `${CONTENT_SECURITY_POLICY.replace("'self'", "'self' 'wasm-unsafe-eval'")}; require-trusted-types-for 'script'`;

/** The race-day desk scans codes with the camera. The page allows no embedded content and no other feature. */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()';

const INDEX = 'index.html';
const RELOAD_SECONDS = 2;

/** The console's pages. Every address returns the same document, whose scripts read the address. */
@Controller('console')
export class PagesController {
  private readonly files = new Pages();

  @Get(['{/}', 'redeem', 'sign-in', 'o/:organization{/}', 'o/:organization/*page'])
  @PublicRoute()
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.files.refresh();
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('permissions-policy', PERMISSIONS);
    response.setHeader('cache-control', 'no-cache');
    if (this.files.get(INDEX)) this.send(INDEX, request, response);
    else sayThatItIsBuilt(response);
  }

  /** File names contain a hash of the content. */
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
    sendFile(file, request, response);
  }
}

/** After an installation, `npm start` builds the console when the api is ready. */
function sayThatItIsBuilt(response: Response): void {
  response
    .status(503)
    .setHeader('retry-after', String(RELOAD_SECONDS))
    .setHeader('refresh', String(RELOAD_SECONDS))
    .setHeader('content-type', 'text/plain; charset=utf-8')
    .end('The console is being built, which takes some seconds. This page then reloads.\n');
}
