import { spawn } from 'node:child_process';

/**
 * Ends a process and removes its folder when ours ends, even if we are killed: the shell reads from a pipe that
 * nobody writes to, and that breaks with us.
 *
 * @returns to be called when the process has been ended otherwise: its id may be used again
 */
export function endWithUs(pid: number, folder = ''): () => void {
  const script = 'read -r _; kill -INT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
  const shell = spawn('sh', ['-c', script, 'sh', String(pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return () => void shell.kill('SIGKILL');
}
