import { Inject, Injectable, Optional } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import {
  type BodyBounds,
  CHECKING_THREAD,
  type CheckingThread,
  catalogueBounds,
  errors,
  type OrdinaryBody,
  ordinaryBounds,
  readBody,
  trimProperties,
} from '#platform/validation';
import type { OperationDeclaration } from '../operation-declaration';

/** Reads bodies, except for imports: checks small ones immediately, and larger ones in the checking thread. */
@Injectable()
export class BodyReader {
  private readonly ordinary: BodyBounds;
  private readonly catalogue: BodyBounds;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Optional() @Inject(CHECKING_THREAD) private readonly thread?: CheckingThread,
  ) {
    this.ordinary = ordinaryBounds(settings);
    this.catalogue = catalogueBounds(settings);
  }

  /** @throws ApiError 400 with the problems of the body */
  async read(
    body: OrdinaryBody,
    bytes: Buffer,
    organizationId: string,
    limit?: OperationDeclaration['bodyLimit'],
  ): Promise<unknown> {
    const bounds = limit === 'catalogue' ? this.catalogue : this.ordinary;
    if (!this.thread || bytes.length <= this.settings.BODY_INLINE_LIMIT) {
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
