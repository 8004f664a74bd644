import { rmSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import type { StoredCalendar } from '../files/calendar/stored';
import type { CatalogueFile } from './catalogue-file.dto';
import { RefusedFile, recordsOfFile } from './read-file';

export interface FileRequest {
  file: CatalogueFile;
  /** Of a table. */
  stored?: StoredCalendar;
}

/** The JSON of the records, why the file is refused, or an error of ours. */
export type FileReply =
  | { json: Uint8Array }
  | { refused: Pick<RefusedFile, 'path' | 'message'> }
  | { failure: string };

// The API takes precedence.
setPriority(Math.max(getPriority(), 5));

// It stays until the API ends it: after an exit of its own, the reply could arrive too late.
process.once('message', async (request: FileRequest) => process.send?.(await replyTo(request)));
// The API ended by force. It left the file to this process.
process.once('disconnect', () => {
  rmSync(tmpdir(), { recursive: true, force: true });
  process.exit();
});

async function replyTo({ file, stored }: FileRequest): Promise<FileReply> {
  try {
    return { json: new TextEncoder().encode(JSON.stringify(await recordsOfFile(file, tmpdir(), stored))) };
  } catch (error) {
    if (error instanceof RefusedFile) return { refused: { path: error.path, message: error.message } };
    return { failure: String((error as Error).stack) };
  }
}
