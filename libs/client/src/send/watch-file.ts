import { stat, watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that writes the file is done if nothing changes for this long. */
const SETTLED_MS = 500;

/** What changes whenever a program writes the file; empty if there is none. */
export const stateOf = async (path: string): Promise<string> =>
  stat(path).then(
    ({ mtimeMs, size }) => `${mtimeMs}/${size}`,
    () => '',
  );

/** Waits until the state of the file is another one, and the file is complete. Changes since that state was read are not lost. */
export async function changedSince(state: string, path: string, signal?: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const events = watch(dirname(path), { signal: either })[Symbol.asyncIterator]();
  try {
    for (;;) {
      // It watches from this call on, so before the state is read.
      const event = events.next();
      event.catch(() => {});
      if ((await stateOf(path)) !== state) {
        const now = await settledState(path, either);
        if (now !== '' && now !== state) return;
      }
      await event;
    }
  } finally {
    ended.abort();
  }
}

async function settledState(path: string, signal: AbortSignal): Promise<string> {
  for (let before = await stateOf(path); ; ) {
    await pause(SETTLED_MS, undefined, { signal });
    const now = await stateOf(path);
    if (now === before) return now;
    before = now;
  }
}
