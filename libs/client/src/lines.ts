import { createReadStream } from 'node:fs';

/**
 * The lines of a text file, without their line feeds. `readline` would also divide at U+2028, which JSON permits inside
 * a text (Node 24).
 *
 * @param encoding `latin1`: a character for each byte
 */
export async function* linesOf(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, encoding) as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}
