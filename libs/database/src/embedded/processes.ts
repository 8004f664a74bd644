import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** Whether a process of that id runs. One that has ended, and that nobody asks after, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return statOf(pid)?.state !== 'Z';
}

/** Ids of processes are used again; together with this, an id is one process. Empty where there is no /proc. */
export const startTimeOf = (pid: number): string => statOf(pid)?.started ?? '';

/** Whether the process works in that folder; undefined where the system does not tell. */
export function worksIn(pid: number, folder: string): boolean | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' && statOf(process.pid) ? false : undefined;
  }
}

function statOf(pid: number): { state?: string; started?: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces and brackets of its own.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}
