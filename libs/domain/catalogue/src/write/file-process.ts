import { getPriority, setPriority } from 'node:os';
import type { CatalogueFile } from './catalogue-file.dto';
import { RefusedFile, recordsOfFile } from './read-file';

/** The message to the process. @property folder an empty one, for the file */
export type FileOrder = CatalogueFile & { folder: string };

/** The JSON of the records, or why the file is refused. */
export type FileReply = { json: Uint8Array } | { refused: Pick<RefusedFile, 'path' | 'message'> };

// The API takes precedence.
setPriority(Math.max(getPriority(), 5));

process.once('message', ({ folder, ...file }: FileOrder) => {
  const reply = (value: FileReply) => process.send?.(value, () => process.disconnect());
  recordsOfFile(file, folder).then(
    (records) => reply({ json: new TextEncoder().encode(JSON.stringify(records)) }),
    (error) => {
      if (!(error instanceof RefusedFile)) throw error;
      reply({ refused: { path: error.path, message: error.message } });
    },
  );
});
// The API has ended.
process.once('disconnect', () => process.exit());
