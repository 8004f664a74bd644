import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StartlineClient } from '../client';
import { requireTarget, TARGET_OPTIONS, untilStopped } from '../target';
import { Access, readDocument } from './access';
import { serverOf } from './server';

const HELP = `Usage: npx --package=<address of the API>/client.tgz startline-client mcp [options]

A server of the Model Context Protocol on standard input and output, for assistants. It has the tools that the key permits: events,
participants, imports and race day. A key that can only read has no tool that writes.

  --url <url>  the address of the API (or STARTLINE_URL)
  --key <key>  the API key (or STARTLINE_API_KEY, which other users of the machine can't read)
  --help       prints this text
`;

/** `startline-client mcp`. Returns the exit code. */
export async function mcpMain(words: string[]): Promise<number> {
  const { values } = parseArgs({ args: words, options: { ...TARGET_OPTIONS } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  requireTarget(values);
  const { url, key } = values;
  const stopped = untilStopped();
  // An assistant waits for an answer: what takes longer is an error that says so.
  const client = new StartlineClient({ baseUrl: url, token: key, tries: 3, longestWaitSeconds: 20 });
  const document = await readDocument(url);
  const access = new Access(document, await client.get('/identity'), key);
  const server = serverOf({ client, document, access, signal: stopped });
  await server.connect(new StdioServerTransport());
  await Promise.race([once(process.stdin, 'end'), once(stopped, 'abort')]);
  await server.close();
  return 0;
}
