import { Inject, Injectable, Optional } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import {
  type BodyBounds,
  CHECKING_THREAD,
  type CheckingThread,
  errors,
  type OrdinaryBody,
  ordinaryBounds,
  readBody,
} from '#platform/validation';

/** Reads bodies, except for imports: checks small ones immediately, and larger ones in the checking thread. */
@Injectable()
export class BodyReader {
  private readonly bounds: BodyBounds;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Optional() @Inject(CHECKING_THREAD) private readonly thread?: CheckingThread,
  ) {
    this.bounds = ordinaryBounds(settings);
  }

  /** @throws ApiError 400 with the problems of the body */
  async read(body: OrdinaryBody, bytes: Buffer, organizationId: string): Promise<unknown> {
    if (!this.thread || bytes.length <= this.settings.BODY_INLINE_LIMIT) {
      const { value, problems } = readBody(body, bytes, this.bounds);
      if (problems.length) throw errors.invalidBody(problems);
      return value;
    }
    const checked = await this.thread.checkBody(organizationId, body, bytes, this.bounds);
    if (checked.problems.length) throw errors.invalidBody(checked.problems);
    return parseChecked(checked.bytes);
  }
}

/** Removes a byte order mark, which `JSON.parse` refuses. */
const parseChecked = (bytes: Buffer): unknown => JSON.parse(new TextDecoder().decode(bytes));
