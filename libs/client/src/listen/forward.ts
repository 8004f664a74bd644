import { createHmac, randomBytes } from 'node:crypto';
import type { ChangeEvent } from '../openapi';

const PREFIX = 'whsec_';
const PATIENCE_MS = 15_000;

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** @returns undefined if the text is no secret of a webhook */
export function keyOf(secret: string): Buffer | undefined {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return secret.startsWith(PREFIX) && key.length >= 24 ? key : undefined;
}

/** The request of a webhook delivery (docs/webhooks.md#the-request). */
export function deliveryOf(
  event: ChangeEvent,
  key: Buffer,
  now: Date,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

/** @returns the status of the response, or the code of the error if there was none */
export async function forward(
  address: URL,
  event: ChangeEvent,
  key: Buffer,
  signal: AbortSignal,
): Promise<number | string> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const response = await fetch(address, {
      method: 'POST',
      ...deliveryOf(event, key, new Date()),
      redirect: 'manual',
      signal: patience,
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    const { cause, name } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? name;
  }
}
