import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { type BrowserClient, StartlineError } from '../api';
import { useSession } from '../session/session';
import { type DeskQueue, type PendingChange, queueOf, type Sent } from './queue';

const AGAIN_MS = 3_000;

const WAITS = [401, 403, 408, 429];

async function deliver(api: BrowserClient, change: PendingChange): Promise<Sent> {
  const { id, participantId, bibNumber, checkIn, changedAt } = change;
  try {
    const receipt = await api.patch('/v0/participants/{id}/race-day', {
      params: { path: { id: participantId } },
      headers: { 'idempotency-key': id },
      body: {
        changedAt,
        ...(bibNumber !== undefined && { bibNumber }),
        ...(checkIn !== undefined && { customFields: [{ id: 'checkIn', value: checkIn }] }),
      },
    } as never);
    // It is stored, but another participant holds the bib, so the desk must be told.
    return receipt.conflicts.length > 0 ? { refused: receipt.message } : 'SENT';
  } catch (error) {
    if (!(error instanceof StartlineError) || error.status >= 500 || WAITS.includes(error.status))
      return 'LATER';
    return { refused: error.message };
  }
}

/** The queued changes; they are sent as soon as the server can be reached. */
export function useDeskQueue(): { queue: DeskQueue; pending: PendingChange[] } {
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const queue = queueOf(organizationId);
  const pending = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const send = useCallback(async () => {
    const before = queue.snapshot().length;
    await queue.send((change) => deliver(api, change));
    if (queue.snapshot().length < before)
      await queries.invalidateQueries({ queryKey: [organizationId, 'participants'] });
  }, [api, queue, queries, organizationId]);
  const waiting = pending.some(({ refused }) => !refused);
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
