import { createReadStream } from 'node:fs';

/**
 * The lines of a text file, without their line feeds. `readline` would also divide at U+2028, which JSON permits inside
 * a text (Node 24).
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}
