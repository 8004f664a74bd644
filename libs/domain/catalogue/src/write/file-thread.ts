import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { CatalogueFile } from './catalogue-file.dto';
import { RefusedFile, recordsOfFile } from './read-file';

/** The JSON of the records, or why the file is refused. */
export type FileReply =
  | { json: Uint8Array<ArrayBuffer> }
  | { refused: Pick<RefusedFile, 'path' | 'message'> };

const reply = (value: FileReply, transferred: ArrayBuffer[] = []) =>
  parentPort?.postMessage(value, transferred);

// The event loop takes precedence. On Linux, a thread has its own priority.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), 5));

const { folder, ...file } = workerData as CatalogueFile & { folder: string };
recordsOfFile(file, folder).then(
  (records) => {
    const json = new TextEncoder().encode(JSON.stringify(records));
    reply({ json }, [json.buffer]);
  },
  (error) => {
    if (!(error instanceof RefusedFile)) throw error;
    reply({ refused: { path: error.path, message: error.message } });
  },
);
