import { spawn } from 'node:child_process';

/**
 * Ends a process and removes its folder when the test process ends, even if it is killed: a shell reads from a pipe
 * without a writer, which breaks at that moment.
 *
 * @returns call it when the process has ended, because its id can be reused
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
