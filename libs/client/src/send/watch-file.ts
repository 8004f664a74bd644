import { stat, watch } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that writes the file is done if nothing changes for this long. */
const SETTLED_MS = 500;

const stateOf = async (path: string): Promise<string> =>
  stat(path).then(
    ({ mtimeMs, size }) => `${mtimeMs}/${size}`,
    () => '',
  );

/** Yields whenever the file has changed and is complete again. Changes before the next call are not lost. */
export async function* changesOf(path: string, signal?: AbortSignal): AsyncGenerator<void> {
  let seen = await stateOf(path);
  for await (const { filename } of watch(dirname(path), { signal })) {
    if (filename !== basename(path)) continue;
    let state = await stateOf(path);
    for (let before = ''; state !== before; state = await stateOf(path)) {
      before = state;
      await pause(SETTLED_MS, undefined, { signal });
    }
    if (state === '' || state === seen) continue;
    seen = state;
    yield;
  }
}
