import { once } from 'node:events';
import { createWriteStream, fchmodSync, openSync, statSync, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { finished } from 'node:stream/promises';
import { ADDED, lineOf, MARK, type Plan, type SheetRow, textOf } from '../../../sheets/src';
import type { Failure } from './prepare';
import type { FileRow, SourceFile } from './read-rows';

const BYTE_ORDER_MARK = '\uFEFF';
/** Values beyond the last column stay there, so that the row can't be read before it is corrected. */
const beyondOf = ({ beyond = [] }: SheetRow) => beyond.map(textOf);

/** The path of the failed-rows file, which is CSV for any table: `list.failed-rows.csv` for `list.xlsx`. */
export function failedFileOf(file: string, dryRun = false): string {
  const plain = file.replace(/\.gz$/i, '');
  const extension = extname(plain);
  const own = ['.jsonl', '.ndjson', '.tsv', '.txt'].includes(extension.toLowerCase()) ? extension : '.csv';
  return `${plain.slice(0, plain.length - extension.length)}${dryRun ? '.dry-run' : ''}.failed-rows${own}`;
}

/** Writes the failed rows with their line, a code and a message. The file is replaced on `end`. */
export class FailedFile {
  count = 0;
  readonly codes: Map<string, number> = new Map();
  private readonly partial: string;
  private readonly stream: WriteStream;
  /** The places of the columns of the file that was sent. */
  private readonly own: number[];
  private readonly delimiter: string;

  constructor(
    readonly path: string,
    { sheet, path: source }: SourceFile,
    private readonly plan: Plan | undefined,
  ) {
    this.partial = `${path}.part`;
    // What can't be written is refused here, and later errors where the stream is used.
    const fd = openSync(this.partial, 'w', 0o600);
    // It has the same people as the list, for the same readers.
    fchmodSync(fd, (statSync(source).mode & 0o666) | 0o600);
    this.stream = createWriteStream(this.partial, { fd });
    this.stream.on('error', () => undefined);
    const columns = sheet?.columns ?? [];
    this.delimiter = sheet?.delimiter ?? ',';
    this.own = [...columns.keys()].filter((at) => !ADDED.includes(columns[at] ?? ''));
    if (!sheet) return;
    const names = this.own.map((at) => columns[at] ?? '');
    const head = [MARK, 'importRow', 'importCode', 'importMessage', ...names];
    this.stream.write(BYTE_ORDER_MARK + lineOf(head, this.delimiter));
  }

  async add(
    { row, cells, record, json = JSON.stringify(record ?? {}) }: FileRow,
    { code, message }: Failure,
  ): Promise<void> {
    this.count += 1;
    const own = json.slice(1).trimStart();
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    const texts = (cells && this.plan?.textsOf(cells)) ?? [];
    const text = cells
      ? lineOf(
          ['', String(row), code, message, ...this.own.map((at) => texts[at] ?? ''), ...beyondOf(cells)],
          this.delimiter,
        )
      : `${JSON.stringify({ importRow: row, importCode: code, importMessage: message }).slice(0, -1)}${own === '}' ? '' : ','}${own}\n`;
    if (this.stream.errored) throw this.stream.errored;
    if (!this.stream.write(text)) await once(this.stream, 'drain');
  }

  /** Replaces the file of an earlier run; without failed rows, removes it. */
  async end(): Promise<void> {
    await finished(this.stream.end());
    if (this.count > 0) await rename(this.partial, this.path);
    else await Promise.all([rm(this.partial, { force: true }), rm(this.path, { force: true })]);
  }

  async abandon(): Promise<void> {
    await finished(this.stream.end());
    await rm(this.partial, { force: true });
  }
}
