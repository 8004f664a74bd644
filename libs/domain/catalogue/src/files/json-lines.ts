import { createReadStream } from 'node:fs';
import type { Advance, Source } from './source';

/** More than any record needs. Protects the memory from a file without line breaks. */
const LONGEST_LINE = 5 * 1024 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads one record per line and skips empty lines. Keeps one line in memory. */
export async function* readJsonLines(path: string, advance: Advance): Source {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let row = 0;
  for await (const line of linesOf(path, advance)) {
    row += 1;
    if (!line) {
      yield { problem: { row, field: '', message: 'is longer than 5 MB' } };
      continue;
    }
    let text: string;
    try {
      text = decoder.decode(line);
    } catch {
      yield { problem: { row, field: '', message: 'is not UTF-8' } };
      continue;
    }
    if (row === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    if (!text.trim()) continue;
    try {
      yield { row, value: JSON.parse(text) };
    } catch (error) {
      yield { problem: { row, field: '', message: `is not JSON: ${(error as Error).message}` } };
    }
  }
}

/** The lines of a file, one at a time. Undefined stands for a line longer than 5 MB. */
export async function* linesOf(path: string, advance: Advance): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const line = () => (length > LONGEST_LINE ? undefined : Buffer.concat(parts));
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(part);
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    advance(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      yield line();
      parts = [];
      length = 0;
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield line();
}
