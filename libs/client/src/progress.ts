import type { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';

export interface Progress {
  /** @param total the total, if it was not known at the start */
  start(total: number): void;
  advance(by: number): void;
  stop(): void;
}

const SILENT: Progress = { start: () => {}, advance: () => {}, stop: () => {} };

/** Shows a progress bar with rate and time left on a terminal; writes nothing elsewhere. */
export function progressOn(stream: Writable, unit: string): Progress {
  if (!(stream instanceof WriteStream) || !stream.isTTY) return SILENT;
  const format = `{bar} {percentage}% | {value}/{total} ${unit} | {rate}/s | {eta_formatted} left`;
  const bar = new SingleBar({ stream, format, clearOnComplete: true, hideCursor: true, etaBuffer: 50 });
  let done = 0;
  let startedAt = 0;
  return {
    start: (total) => {
      startedAt = performance.now();
      bar.start(total, 0, { rate: 0 });
    },
    advance: (by) => {
      done += by;
      const seconds = Math.max((performance.now() - startedAt) / 1_000, 0.001);
      bar.increment(by, { rate: Math.round(done / seconds) });
    },
    stop: () => bar.stop(),
  };
}
