import { readFileSync, rmSync, writeFileSync } from 'node:fs';

interface Holder {
  pid: number;
  url: string;
}

/**
 * One `npm start` in a home at a time: the second would stop the database under the first.
 *
 * @returns lets go of the home
 * @throws Error that names the one that runs
 */
export function holdHome(file: string, url: string): () => void {
  const holder = runningHolder(file);
  if (holder) {
    throw new Error(
      `Startline runs from here already, at ${holder.url} (process ${holder.pid}). Stop it first, or set another STARTLINE_HOME.`,
    );
  }
  writeFileSync(file, JSON.stringify({ pid: process.pid, url } satisfies Holder));
  return () => rmSync(file, { force: true });
}

function runningHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    return holder.pid !== process.pid && isStart(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Ids of processes are used again; where the system tells what a process runs, ask it. */
function isStart(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return /start\.[jt]s/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}
