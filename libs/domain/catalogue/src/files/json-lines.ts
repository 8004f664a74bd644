import { createReadStream } from 'node:fs';
import type { Advance, Source } from './source';

/** More than any record needs. Protects the memory from a file without line breaks. */
const LONGEST_LINE = 5 * 1024 * 1024;
const NEWLINE = 0x0a;
const BLANK = [0x20, 0x09, 0x0d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Reads one record per line. Keeps one line in memory. */
export async function* readJsonLines(path: string, advance: Advance): Source {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const { line: row, bytes } of linesOf(path, advance)) {
    if (!bytes) {
      yield { problem: { row, field: '', message: 'is longer than 5 MB' } };
      continue;
    }
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      yield { problem: { row, field: '', message: 'is not UTF-8' } };
      continue;
    }
    try {
      yield { row, value: JSON.parse(text) };
    } catch (error) {
      yield { problem: { row, field: '', message: `is not JSON: ${(error as Error).message}` } };
    }
  }
}

/** The lines of a file that are not empty, one at a time. One that is longer than 5 MB has no bytes. */
export async function* linesOf(
  path: string,
  advance: Advance,
): AsyncGenerator<{ line: number; bytes?: Buffer }> {
  let parts: Buffer[] = [];
  let length = 0;
  let line = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(part);
  };
  const take = () => {
    const whole = Buffer.concat(parts);
    const isLong = length > LONGEST_LINE;
    [parts, length, line] = [[], 0, line + 1];
    const bytes = line === 1 ? withoutMark(whole) : whole;
    return isLong ? [{ line }] : bytes.every((byte) => BLANK.includes(byte)) ? [] : [{ line, bytes }];
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    advance(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      yield* take();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield* take();
}

export const withoutMark = (bytes: Buffer): Buffer =>
  BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
