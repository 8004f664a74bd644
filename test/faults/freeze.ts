import { readdirSync, readFileSync } from 'node:fs';

/** Stops a process and its children until the returned function is called. */
export function freeze(pid: number): () => void {
  const processes = [pid, ...childrenOf(pid)];
  for (const each of processes) signal(each, 'SIGSTOP');
  return () => {
    for (const each of processes) signal(each, 'SIGCONT');
  };
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);

function parentOf(pid: string): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[1],
    );
  } catch {
    return 0;
  }
}
