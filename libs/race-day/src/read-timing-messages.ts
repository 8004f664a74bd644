import { isId, SHIPPING_STATUSES } from '#libs/database';
import { errors } from '#libs/errors';
import { instantOf } from '#libs/input';
import { BIB_NUMBER, BIB_NUMBER_RULE } from './bib-number';

const MOST = 500;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A message as it goes into the log; moments in UTC with microseconds. */
export interface ReadMessage {
  participant_id: string | null;
  named_by_bib: boolean;
  sets_bib: boolean;
  bib_number: string | null;
  shipping_status: (typeof SHIPPING_STATUSES)[number] | null;
  shipped_at: string | null;
  shipping_carrier: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
  changed_at: string;
}

type Given = Record<string, unknown>;

/**
 * Checks the body of `POST /timing-inbound/v1`: one message, or an array of 1 to 500. Properties that are not ours
 * to know are let through: additions keep schema 1.0.
 *
 * @throws ApiError 400 that names the message's index (in an array), the field and the rule
 */
export function readTimingMessages(body: unknown, now = Date.now()): ReadMessage[] {
  if (!Array.isArray(body)) return [readMessage(body, '', now)];
  if (body.length < 1 || body.length > MOST) {
    throw errors.invalid(
      `The body must be one message, or an array of 1 to ${MOST}: this one has ${body.length}`,
    );
  }
  return body.map((message, index) => readMessage(message, `[${index}]`, now));
}

function readMessage(message: unknown, at: string, now: number): ReadMessage {
  const path = at && `${at}.`;
  if (!isObject(message)) throw errors.invalid(`${at || 'The body'} must be a JSON object: a timing message`);
  if (message.schemaVersion !== '1.0') throw errors.invalid(`${path}schemaVersion must be "1.0"`);
  const { data } = message;
  if (!isObject(data)) throw errors.invalid(`${path}data must be an object`);
  const participantId = optional(data.participantId, `${path}data.participantId`, readId);
  const hasBib = data.bibNumber !== undefined;
  const bibNumber = optional(data.bibNumber, `${path}data.bibNumber`, readBib);
  const shipping = optional(data.shipping, `${path}data.shipping`, readShipping);
  if (!hasBib && !shipping) throw errors.invalid(`${path}data must have bibNumber or shipping`);
  if (!participantId && !bibNumber) {
    throw errors.invalid(
      `${path}data must name someone: by participantId, or by the bibNumber that they wear`,
    );
  }
  return {
    participant_id: participantId,
    named_by_bib: !participantId,
    sets_bib: participantId !== null && hasBib,
    bib_number: bibNumber,
    ...(shipping ?? NOTHING_SHIPPED),
    changed_at: readChangedAt(message.changedAt, `${path}changedAt`, now),
  };
}

type ReadShipping = Pick<
  ReadMessage,
  'shipping_status' | 'shipped_at' | 'shipping_carrier' | 'tracking_number' | 'tracking_url'
>;

const NOTHING_SHIPPED: ReadShipping = {
  shipping_status: null,
  shipped_at: null,
  shipping_carrier: null,
  tracking_number: null,
  tracking_url: null,
};

function readShipping(value: unknown, path: string): ReadShipping {
  if (!isObject(value)) throw errors.invalid(`${path} must be an object`);
  return {
    shipping_status: optional(value.status, `${path}.status`, readStatus) ?? 'SHIPPED',
    shipped_at: readInstant(value.shippedAt, `${path}.shippedAt`),
    shipping_carrier: optional(value.carrier, `${path}.carrier`, readText(255)),
    tracking_number: optional(value.trackingNumber, `${path}.trackingNumber`, readText(255)),
    tracking_url: optional(value.trackingUrl, `${path}.trackingUrl`, readUrl),
  };
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null counts as left out: nothing can be cleared by it. */
const optional = <T>(value: unknown, path: string, read: (value: unknown, path: string) => T): T | null =>
  value === undefined || value === null ? null : read(value, path);

function readId(value: unknown, path: string): string {
  if (typeof value !== 'string' || !isId(value)) throw errors.invalid(`${path} must be a participant's id`);
  return value;
}

function readBib(value: unknown, path: string): string {
  if (typeof value !== 'string' || !BIB_NUMBER.test(value))
    throw errors.invalid(`${path} ${BIB_NUMBER_RULE}`);
  return value;
}

function readStatus(value: unknown, path: string): (typeof SHIPPING_STATUSES)[number] {
  const status = SHIPPING_STATUSES.find((known) => known === value);
  if (!status) throw errors.invalid(`${path} must be one of ${SHIPPING_STATUSES.join(', ')}`);
  return status;
}

const readText =
  (most: number) =>
  (value: unknown, path: string): string => {
    if (typeof value !== 'string' || value.trim() === '' || value.length > most) {
      throw errors.invalid(`${path} must be a text of 1 to ${most} characters that is not blank`);
    }
    if (value.includes('\0') || !value.isWellFormed()) {
      throw errors.invalid(`${path} must not hold NUL or broken characters`);
    }
    return value;
  };

function readUrl(value: unknown, path: string): string {
  const text = readText(2_000)(value, path);
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) {
    throw errors.invalid(`${path} must be an http or https URL`);
  }
  return text;
}

function readInstant(value: unknown, path: string): string {
  const instant = typeof value === 'string' ? instantOf(value) : undefined;
  if (!instant) throw errors.invalid(`${path} must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z`);
  return instant;
}

function readChangedAt(value: unknown, path: string, now: number): string {
  const instant = readInstant(value, path);
  if (instant < '1970') throw errors.invalid(`${path} must not be before 1970`);
  if (Date.parse(instant) > now + DAY_MS)
    throw errors.invalid(`${path} must not be more than 24 hours ahead`);
  return instant;
}
