import { StartlineError } from './error';
import type { paths } from './openapi';
import type { Send } from './sending';

type QueryOf<Path extends '/v0/participants/export' | '/timing-inbound/v1/participants/export'> = Omit<
  NonNullable<paths[Path]['get']['parameters']['query']>,
  'format'
>;

/** The filters of the list of participants, and the parts of a participant. */
export type ExportQuery = QueryOf<'/v0/participants/export'>;

/** The filters of the list of participants of a timing key. */
export type TimingExportQuery = QueryOf<'/timing-inbound/v1/participants/export'>;

/** The last line of the export. */
interface End {
  end: true;
  rows: number;
}

const isEnd = <Item extends object>(line: Item | End): line is End => 'end' in line;

/** @throws Error if the stream ends without its last line */
export async function* readExport<Item extends object>(
  send: Send,
  request: Request,
): AsyncGenerator<Item, void> {
  const response = await send(request);
  if (!response.ok || !response.body) {
    throw StartlineError.of(response, await response.json().catch(() => undefined));
  }
  let rows = 0;
  for await (const text of linesOf(response.body)) {
    const line: Item | End = JSON.parse(text);
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
