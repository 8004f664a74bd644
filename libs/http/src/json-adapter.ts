import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { JsonText } from './json-text';

/** Up to here Node sends a text together with its head, in one call of the system. */
const SMALL = 16_384;

/** Express, and a short way out for bodies that are JSON. */
export class JsonAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number) {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile)
      return super.reply(response, body, statusCode);
    const text = body instanceof JsonText ? body.text : JSON.stringify(body);
    const sent = text.length < SMALL ? text : Buffer.from(text);
    response.writeHead(statusCode ?? 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(sent),
    });
    response.end(sent);
    return response;
  }
}
