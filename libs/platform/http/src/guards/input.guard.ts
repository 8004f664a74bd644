import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Cursors, isLargePage, type Parameters, readParameters } from '#platform/queries';
import { FairQueue } from '#platform/scheduling';
import { errors, isId, problem, trimmed } from '#platform/validation';
import { BodyReader } from '../bodies/body-reader';
import { isList, type OperationDeclaration, queryParametersOf } from '../operation-declaration';
import { DailyBytes } from '../rate-limits/daily-bytes';
import { countedBytes, type Writes } from '../rate-limits/writes';
import { type ApiRequest, requestOf } from '../request';
import { writesOf } from '../routes';
import { Sending } from '../serving/sending';
import { BodyBandwidth } from './body-bandwidth';
import { BodyBudget } from './body-budget';
import { ownIdsOf } from './own-ids';
import { readBody, SMALL_BODY } from './read-body';

const OTHER_TYPE = /^(?!application\/(?:[\w.-]+\+)?json\b)[\w.+-]{1,60}\/[\w.+-]{1,100}/i;
const GZIP_DATA = Buffer.from([0x1f, 0x8b]);

/** Some tools give JSON another type, such as that of a form, which is accepted; a form or a table is no JSON. */
function refuseOtherTypes(type: string | undefined, bytes: Buffer, takesGzip: boolean): void {
  if (bytes.subarray(0, 2).equals(GZIP_DATA)) {
    const rule = `is compressed by gzip; ${takesGzip ? 'send the header content-encoding: gzip' : 'send it uncompressed'}`;
    throw errors.invalidBody([problem('', 'INVALID_JSON', rule)]);
  }
  const [other] = OTHER_TYPE.exec(type ?? '') ?? [];
  if (!other || /^\s*[[{]/.test(bytes.toString('latin1', 0, 64))) return;
  const rule = `must be JSON with the content-type application/json, not ${other.toLowerCase()}`;
  throw errors.invalidBody([problem('', 'INVALID_JSON', rule)]);
}

/** The first version of the interface, in the format of RFC 9745. */
const DEPRECATED_SINCE = '@1795219200';

/** The names of gzip in HTTP. */
const GZIP = new Set(['gzip', 'x-gzip']);
const takesGzip = ({ bodyLimit }: OperationDeclaration): boolean => bodyLimit === 'import';

/** Of a batch of timing messages: 500 with every known field at its maximum fit. */
const TIMING_BODY_LIMIT = 16_777_216;
/** Of a part of the catalogue, which can be a file of 3 MB. */
const CATALOGUE_BODY_LIMIT = 4_194_304;

/** What a process reads, writes or processes at the same time, of each kind, of what is large. Of these, an organization has one. */
const LARGE_AT_ONCE = 2;

type BodyLimit = NonNullable<OperationDeclaration['bodyLimit']>;

/** What a body that is too large can be divided into. */
const PARTS: Record<BodyLimit, string | undefined> = {
  ordinary: undefined,
  timing: 'Send the messages in several batches.',
  catalogue: 'Send the records in several requests.',
  import: 'Send the rows in several batches.',
};

/**
 * The last guard: reads the input in the order of docs/interface.md#errors: a body that is too large (413), malformed ids
 * in the path (404), query and body (400). No byte of the body is read before it.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly parameters = new WeakMap<OperationDeclaration, Parameters>();
  /** The most bytes of a body. */
  private readonly limits: Record<BodyLimit, number>;
  /** Separate budgets, so that imports leave room for race day. */
  private readonly budgets: Record<'ordinary' | 'import', BodyBudget>;
  /** The requests with a large body that are processed at the same time. */
  private readonly large: FairQueue;
  /** The large responses at the same time. Separate turns: a page does not wait for a write that takes seconds. */
  private readonly turns: Record<'page' | 'record' | 'write', FairQueue>;
  private readonly cursors: Cursors;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly bodies: BodyReader,
    private readonly sending: Sending,
    private readonly bandwidth: BodyBandwidth,
    private readonly dailyBytes: DailyBytes,
  ) {
    this.limits = {
      ordinary: settings.BODY_LIMIT,
      timing: TIMING_BODY_LIMIT,
      catalogue: CATALOGUE_BODY_LIMIT,
      import: settings.IMPORT_BODY_LIMIT,
    };
    const turns = () => new FairQueue({ slots: LARGE_AT_ONCE, waitMs: settings.TURN_WAIT_MS });
    this.turns = { page: turns(), record: turns(), write: turns() };
    this.cursors = new Cursors(settings.SIGNING_SECRETS);
    this.large = turns();
    this.budgets = {
      ordinary: new BodyBudget(settings.BODIES_LIMIT),
      import: new BodyBudget(1.5 * settings.BODIES_LIMIT),
    };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { operation } = request;
    if (!operation) return true;
    const writes =
      request.method === 'GET' || request.method === 'HEAD' ? undefined : writesOf(context.getHandler());
    if (writes?.day && !writes.isRemoval) await this.dailyBytes.require(writes.day, request.caller);
    const bytes = operation.body || operation.rawBody ? await this.bytesOf(context, operation) : undefined;
    const own = new Set(ownIdsOf(request));
    for (const [name, value] of Object.entries(request.params)) {
      // PostgreSQL can't store NUL, so no row can match it.
      if (own.has(name) ? !isId(value) : String(value).includes('\0')) throw errors.notFound();
      if (!own.has(name)) request.params[name] = trimmed(String(value));
    }
    request.cursors = this.cursors;
    const parameters = this.parametersOf(operation);
    request.values = readParameters(parameters, request.query);
    if (Object.keys(request.values).some((name) => parameters[name]?.deprecated))
      context.switchToHttp().getResponse<ServerResponse>().setHeader('deprecation', DEPRECATED_SINCE);
    // Reading a large body hands its memory to another thread.
    const received = bytes?.length ?? 0;
    if (bytes) {
      refuseOtherTypes(request.headers['content-type'], bytes, takesGzip(operation));
      request.body = await this.bodyOf(operation, bytes, request.caller);
    }
    if (writes) await this.countBytes(context, writes, received);
    if (isList(operation.answers) || operation.streams || operation.large)
      await this.admit(context, operation);
    return true;
  }

  /**
   * Refuses a list, stream or large response while the organization's clients do not read what they were sent. Makes a large
   * page or response wait for its turn, which lasts until the rows have arrived: they keep the event loop and PostgreSQL busy.
   */
  private async admit(context: ExecutionContext, { answers, large }: OperationDeclaration): Promise<void> {
    const request = requestOf(context);
    const { organizationId } = request.caller;
    const response = context.switchToHttp().getResponse<ServerResponse>();
    const requireRoom = () => {
      if (this.sending.unsent.isFull(organizationId)) throw errors.unread();
    };
    requireRoom();
    const isLarge = large || (isList(answers) && isLargePage(answers, request.values));
    if (!isLarge) return;
    const kind = isList(answers) ? 'page' : request.method === 'GET' ? 'record' : 'write';
    await this.turnOf(this.turns[kind], request, response);
    requireRoom();
  }

  private bodyOf(operation: OperationDeclaration, bytes: Buffer, { organizationId }: Caller) {
    const { body, rawBody, orArrayOf, bodyLimit } = operation;
    if (rawBody || !body) return bytes;
    return this.bodies.read({ schema: body.name, orArrayOf }, bytes, organizationId, bodyLimit);
  }

  private async bytesOf(context: ExecutionContext, operation: OperationDeclaration): Promise<Buffer> {
    const { bodyLimit = 'ordinary' } = operation;
    const request = requestOf(context);
    const limit = this.limits[bodyLimit];
    const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
    const isGzip = takesGzip(operation) && GZIP.has(encoding);
    if (encoding !== 'identity' && !isGzip) {
      const permitted = takesGzip(operation) ? 'gzip or identity' : 'identity; send the body uncompressed';
      throw errors.invalid(`content-encoding must be ${permitted}`);
    }
    const given = request.headers['content-length'];
    const length = given === undefined ? undefined : Number(given);
    const tooLarge = () => errors.tooLarge(limit, PARTS[bodyLimit]);
    if (length !== undefined && length > limit) throw tooLarge();
    const response = context.switchToHttp().getResponse<ServerResponse>();
    // The client disconnected during the earlier guards.
    if (response.closed) throw errors.invalid('The body was not received completely');
    if (request.headers.expect && request.httpVersion !== '1.0') response.writeContinue();
    const budget = this.budgets[bodyLimit === 'import' ? 'import' : 'ordinary'];
    const { bandwidth } = this;
    const { organizationId } = request.caller;
    const bytes = await readBody(
      request,
      { length, limit, tooLarge, isGzip, budget, bandwidth, organizationId },
      (release) => response.once('close', release),
    );
    if (bytes.length > SMALL_BODY) await this.turnOf(this.large, request, response);
    return bytes;
  }

  /** A client that sends invalid bodies does not use up the day: what is refused is taken back. */
  private async countBytes(context: ExecutionContext, writes: Writes, accepted: number): Promise<void> {
    const { day, isRemoval } = writes;
    const request = requestOf(context);
    const { caller, body } = request;
    if (!day || isRemoval?.(body)) return;
    if (isRemoval) await this.dailyBytes.require(day, caller);
    const bytes = countedBytes(writes, accepted);
    await this.dailyBytes.add(day, caller, bytes);
    request.takeBack = () => void this.dailyBytes.takeBack(day, caller, bytes).catch(() => {});
  }

  /**
   * Resolves when the request may be processed. It takes a slot until there is a response for it, or its client disconnects: how
   * slowly a client reads does not keep others waiting.
   */
  private turnOf(queue: FairQueue, request: ApiRequest, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const untilClosed = () =>
        new Promise<void>((end) => {
          request.turns = [...(request.turns ?? []), end];
          response.once('close', end);
          if (response.closed) {
            end();
            reject(errors.invalid('The client disconnected before its turn'));
          }
          resolve();
        });
      queue.run(request.caller.organizationId, untilClosed).catch(reject);
    });
  }

  private parametersOf(operation: OperationDeclaration): Parameters {
    let parameters = this.parameters.get(operation);
    if (!parameters) {
      parameters = queryParametersOf(operation);
      this.parameters.set(operation, parameters);
    }
    return parameters;
  }
}
