import { StartlineError } from './error';
import type { Participant, paths } from './openapi';
import type { Send } from './sending';

/** The filters of the list of participants, and the parts of a participant. */
export type ExportQuery = Omit<
  NonNullable<paths['/v0/participants/export']['get']['parameters']['query']>,
  'format'
>;

/** The last line of the export. */
interface End {
  end: true;
  rows: number;
}

const isEnd = (line: Participant | End): line is End => 'end' in line;

/** @throws Error if the stream ends without its last line */
export async function* readExport(send: Send, request: Request): AsyncGenerator<Participant, void> {
  const response = await send(request);
  if (!response.ok || !response.body) {
    throw StartlineError.of(response, await response.json().catch(() => undefined));
  }
  let rows = 0;
  for await (const text of linesOf(response.body)) {
    const line: Participant | End = JSON.parse(text);
    if (isEnd(line) && line.rows === rows) return;
    if (isEnd(line)) break;
    rows++;
    yield line;
  }
  throw new Error(`The export was cut off after ${rows} participants: start it again`);
}

/** Text after the last line break is not a complete line. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
