import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { JsonText } from './json-text';

/** Express, and a short way out for bodies that are JSON text already. */
export class JsonAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number) {
    if (!(body instanceof JsonText)) return super.reply(response, body, statusCode);
    const bytes = Buffer.from(body.text);
    response.writeHead(statusCode ?? 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    });
    response.end(bytes);
    return response;
  }
}
