import { SendRefused } from './send/refused';

interface TargetOptions {
  url: { type: 'string'; default: string };
  key: { type: 'string'; default: string };
  json: { type: 'boolean' };
  help: { type: 'boolean' };
}

/** Options of every command. */
export const TARGET_OPTIONS: TargetOptions = {
  url: { type: 'string', default: process.env.STARTLINE_URL ?? '' },
  key: { type: 'string', default: process.env.STARTLINE_API_KEY ?? '' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
};

/** @throws SendRefused */
export function requireTarget({ url, key }: { url: string; key: string }): void {
  if (url && key) return;
  throw new SendRefused(
    'INVALID_COMMAND',
    'Specify --url and --key, or set STARTLINE_URL and STARTLINE_API_KEY.',
  );
}

/** @throws SendRefused */
export function secondsOf(option: string, text: string, least: number, most: number): number {
  const seconds = Number(text);
  if (text.trim() && seconds >= least && seconds <= most) return seconds;
  throw new SendRefused('INVALID_COMMAND', `${option} must be a number from ${least} to ${most}.`);
}

/** Ends with the first Ctrl+C, or the end of the service; the second one ends the process at once. */
export function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Tells what happens, as a sentence and as a value. */
export type Say = (text: string, value: object) => void;

/** Writes what happens: a line for people, or one of JSON. */
export function sayer(json: boolean | undefined): Say {
  return (text, value) =>
    void process.stdout.write(
      `${json ? JSON.stringify({ at: new Date().toISOString(), ...value }) : text}\n`,
    );
}
