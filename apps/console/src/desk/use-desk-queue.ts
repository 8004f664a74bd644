import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { type BrowserClient, StartlineError } from '../api';
import { serverTimeAgain } from '../server-clock';
import { useSession } from '../session';
import { type DeskQueue, isUnsent, type PendingChange, queueOf, type Sent } from './queue';

const AGAIN_MS = 3_000;

/** Answers after which the same request can succeed. After 401 the page asks for a new session. */
const WAITS = [401, 408, 429];

const isInFuture = ({ path, code }: { path: string; code: string }) =>
  path === 'changedAt' && code === 'OUT_OF_RANGE';

/** @param isMember whether the browser still has a session of the organization, asked after a rejection */
async function deliver(
  api: BrowserClient,
  change: PendingChange,
  isMember: () => Promise<boolean>,
): Promise<Sent> {
  const { id, participantId, bibNumber, checkIn, parcel, carrier, trackingNumber, changedAt } = change;
  try {
    const receipt = await api.patch('/console/v1/participants/{id}/race-day', {
      params: { path: { id: participantId } },
      headers: { 'idempotency-key': id },
      body: {
        changedAt,
        ...(bibNumber !== undefined && { bibNumber }),
        ...(checkIn !== undefined && { customFields: [{ id: 'checkIn', value: checkIn }] }),
        ...(parcel && { shipping: { status: parcel, carrier, trackingNumber } }),
      },
    } as never);
    // It is stored, but a newer bib applies, so the desk must be told.
    return receipt.conflicts.length > 0 ? { refused: receipt.message } : 'SENT';
  } catch (error) {
    if (!(error instanceof StartlineError) || error.status >= 500 || WAITS.includes(error.status))
      return 'LATER';
    const { message, problems } = error;
    // Nothing was stored: it is sent again with the time of that answer.
    if (problems.some(isInFuture)) return { changedAt: serverTimeAgain().toISOString() };
    if (error.status === 403) return (await isMember()) ? { refused: message, forbidden: true } : 'LATER';
    return { refused: message, holderId: problems.find(({ participantId }) => participantId)?.participantId };
  }
}

/** The queued changes; they are sent as soon as the server can be reached. */
export function useDeskQueue(): { queue: DeskQueue; pending: PendingChange[] } {
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const queue = queueOf(organizationId);
  const pending = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const send = useCallback(async () => {
    const unsent = () => queue.snapshot().filter(isUnsent).length;
    const before = unsent();
    // A rejected session is replaced on the page of the member.
    const isMember = async () => {
      await queries.invalidateQueries({ queryKey: [organizationId, 'me'] });
      return queries.getQueryState([organizationId, 'me'])?.status === 'success';
    };
    await queue.send((change) => deliver(api, change, isMember));
    if (unsent() < before) await queries.invalidateQueries({ queryKey: [organizationId, 'participants'] });
  }, [api, queue, queries, organizationId]);
  const waiting = pending.some(isUnsent);
  useEffect(() => {
    if (!waiting) return;
    const again = () => void send();
    again();
    const timer = setInterval(again, AGAIN_MS);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [waiting, send]);
  return { queue, pending };
}
