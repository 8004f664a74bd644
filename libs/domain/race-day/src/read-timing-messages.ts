import type { SHIPPING_STATUSES } from '#platform/database';
import {
  type BibColumns,
  bibColumns,
  errors,
  instantOf,
  jsonBytes,
  MOST_BYTES,
  MOST_PROBLEMS,
  type Problem,
  problem,
} from '#platform/validation';
import type { TimingMessage, TimingShipping } from './timing-message.dto';

/** The most messages of a request. */
export const MOST_TIMING_MESSAGES = 500;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A message for the log, with times in UTC with microseconds. */
export interface ReadMessage extends BibColumns {
  /** If both this and `named_by_bib` are `null`, the message has no participant and is not kept. */
  participant_id: string | null;
  named_by_bib: boolean;
  sets_bib: boolean;
  shipping_status: (typeof SHIPPING_STATUSES)[number] | null;
  shipped_at: string | null;
  shipping_carrier: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
  changed_at: string;
}

/**
 * Parses the body of `POST /timing-inbound/v1`, a message or an array, which already matches its schema. Unknown properties
 * are ignored, because additions keep schema version 1.0.
 *
 * @throws ApiError 400 with the index of each invalid message (in an array), the property and the rule
 */
export function readTimingMessages(body: unknown, now = Date.now()): ReadMessage[] {
  const isBatch = Array.isArray(body);
  const messages = (isBatch ? body : [body]) as TimingMessage[];
  const problems = messages.flatMap((message, index) => {
    const found = brokenRules(message, isBatch ? `[${index}].` : '', now);
    return isBatch ? found.map((one) => ({ ...one, row: index })) : found;
  });
  if (problems.length) throw errors.invalidBody(problems.slice(0, MOST_PROBLEMS));
  return messages.map(readMessage);
}

/** The rules that the schema can't express. */
function brokenRules({ data, changedAt }: TimingMessage, at: string, now: number): Problem[] {
  const found: Problem[] = [];
  const { participantId, bibNumber, shipping } = data;
  // `null` removes the bib of a participant; without a participant, it has no meaning.
  const saysBib = participantId ? bibNumber !== undefined : Boolean(bibNumber);
  if (!saysBib && !shipping) {
    found.push(problem(`${at}data`, 'INVALID_COMBINATION', 'must have bibNumber or shipping'));
  }
  if (shipping?.trackingUrl && !/^https?:\/\/\S+$/i.test(shipping.trackingUrl)) {
    found.push(problem(`${at}data.shipping.trackingUrl`, 'INVALID_FORMAT', 'must be an http or https URL'));
  }
  const { carrier, trackingNumber, trackingUrl } = shipping ?? {};
  if (jsonBytes([carrier, trackingNumber, trackingUrl]) > MOST_BYTES.shipping) {
    found.push(
      problem(
        `${at}data.shipping`,
        'TOO_LONG',
        `must not have texts of more than ${MOST_BYTES.shipping} bytes together`,
      ),
    );
  }
  const instant = instantOf(changedAt) ?? '';
  if (instant < '1970') found.push(problem(`${at}changedAt`, 'OUT_OF_RANGE', 'must not be before 1970'));
  if (Date.parse(instant) > now + DAY_MS) {
    found.push(problem(`${at}changedAt`, 'OUT_OF_RANGE', 'must not be more than 24 hours ahead'));
  }
  return found;
}

function readMessage({ data, changedAt }: TimingMessage): ReadMessage {
  const { participantId = null, bibNumber, shipping } = data;
  return {
    participant_id: participantId,
    named_by_bib: !participantId && Boolean(bibNumber),
    sets_bib: participantId !== null && bibNumber !== undefined,
    ...bibColumns(bibNumber),
    ...readShipping(shipping),
    changed_at: instantOf(changedAt) as string,
  };
}

/** `null` counts as absent: values can't be removed. */
const readShipping = (shipping: TimingShipping | null | undefined) => ({
  shipping_status: shipping ? (shipping.status ?? 'SHIPPED') : null,
  shipped_at: (shipping && instantOf(shipping.shippedAt)) ?? null,
  shipping_carrier: shipping?.carrier ?? null,
  tracking_number: shipping?.trackingNumber ?? null,
  tracking_url: shipping?.trackingUrl ?? null,
});
