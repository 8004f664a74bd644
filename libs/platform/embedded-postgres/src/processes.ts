import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** Whether a process with this id runs. Zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return statOf(pid)?.state !== 'Z';
}

/** The start time. Process ids are reused; with the start time they are unique. Empty without /proc. */
export const startTimeOf = (pid: number): string => statOf(pid)?.started ?? '';

/** Whether the directory is the working directory of the process; `undefined` if the system can't tell. */
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
    // The name, in parentheses, can contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}
