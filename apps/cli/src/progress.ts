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

/** Shows a progress bar on a terminal; writes nothing elsewhere. */
export function progressOn(stream: Writable, unit: string): Progress {
  if (!(stream instanceof WriteStream) || !stream.isTTY) return SILENT;
  const format = `{bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`;
  const bar = new SingleBar({ stream, format, clearOnComplete: true, hideCursor: true, etaBuffer: 50 });
  return {
    start: (total) => bar.start(total, 0),
    advance: (by) => bar.increment(by),
    stop: () => bar.stop(),
  };
}
