import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  CATALOGUE_BOUNDS,
  CHECKING_THREAD,
  type CheckingThread,
  errors,
  ORDINARY_BOUNDS,
  type OrdinaryBody,
  readBody,
  SMALL_ENOUGH,
  trimProperties,
} from '#platform/validation';
import type { OperationDeclaration } from '../operation-declaration';

/** Reads bodies, except for imports: checks small ones immediately, and larger ones in the checking thread. */
@Injectable()
export class BodyReader {
  constructor(@Optional() @Inject(CHECKING_THREAD) private readonly thread?: CheckingThread) {}

  /** @throws ApiError 400 with the problems of the body */
  async read(
    body: OrdinaryBody,
    bytes: Buffer,
    organizationId: string,
    limit?: OperationDeclaration['bodyLimit'],
  ): Promise<unknown> {
    const bounds = limit === 'catalogue' ? CATALOGUE_BOUNDS : ORDINARY_BOUNDS;
    if (!this.thread || bytes.length <= SMALL_ENOUGH) {
      const { value, problems } = readBody(body, bytes, bounds);
      if (problems.length) throw errors.invalidBody(problems);
      return value;
    }
    const checked = await this.thread.checkBody(organizationId, body, bytes, bounds);
    if (checked.problems.length) throw errors.invalidBody(checked.problems);
    return parseChecked(checked.bytes);
  }
}

/** Removes a byte order mark, which `JSON.parse` refuses. */
const parseChecked = (bytes: Buffer): unknown => trimProperties(JSON.parse(new TextDecoder().decode(bytes)));
