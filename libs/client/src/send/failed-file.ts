import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Mistake } from './build-row';
import { ADDED, type FileRow, type SourceFile } from './read-rows';

/** Writes the failed rows unchanged, with their number, a code and a message. The file is replaced on `end`. */
export class FailedFile {
  count = 0;
  readonly codes = new Map<string, number>();
  private readonly partial: string;
  private readonly stream;

  constructor(
    readonly path: string,
    private readonly source: SourceFile,
  ) {
    this.partial = `${path}.part`;
    this.stream = createWriteStream(this.partial);
    if (!source.jsonLines) this.stream.write(this.line([...ADDED, ...source.columns]));
  }

  async add({ row, values, record }: FileRow, { code, message }: Mistake): Promise<void> {
    const { columns, jsonLines } = this.source;
    this.count += 1;
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    const text = jsonLines
      ? `${JSON.stringify({ importRow: row, importCode: code, importMessage: message, ...record })}\n`
      : this.line([String(row), code, message, ...columns.map((column) => values[column] ?? '')]);
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

  private line(values: string[]): string {
    const { delimiter } = this.source;
    const quoted = (value: string) =>
      /["\r\n]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
    return `${values.map(quoted).join(delimiter)}\r\n`;
  }
}
