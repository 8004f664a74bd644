import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  type BodyBounds,
  CHECKING_THREAD,
  type CheckingThread,
  type OrdinaryBody,
  ordinaryBounds,
  readBody,
} from '#libs/bodies';
import { SETTINGS, type Settings } from '#libs/config';
import { errors } from '#libs/errors';

/** Reads ordinary bodies: small ones at once, larger ones after the checking thread has found nothing wrong. */
@Injectable()
export class BodyReader {
  private readonly bounds: BodyBounds;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Optional() @Inject(CHECKING_THREAD) private readonly thread?: CheckingThread,
  ) {
    this.bounds = ordinaryBounds(settings);
  }

  /** @throws ApiError 400 that names what is wrong with the body */
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

/** A byte order mark may precede JSON; `JSON.parse` takes none. */
const parseChecked = (bytes: Buffer): unknown => JSON.parse(new TextDecoder().decode(bytes));
