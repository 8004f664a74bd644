import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ownProgram, SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { JsonText } from '#platform/queries';
import { FairQueue } from '#platform/scheduling';
import { errors, problem } from '#platform/validation';
import { storedCalendar } from '../files/calendar/stored';
import { formatOf, TABLES } from '../files/table';
import type { CatalogueFile } from './catalogue-file.dto';
import type { FileReply, FileRequest } from './file-process';

const { file: PROGRAM, execArgv = process.execArgv } = ownProgram(join(__dirname, 'file-process'));
/** What the file of a person needs many times over. */
const MEMORY = ['--max-old-space-size=128', '--max-semi-space-size=16'];
const LONGEST_MS = 30_000;
const FOLDER = 'startline-upload-';
const TOO_COSTLY = 'needs too much time or memory to be read: load it with the command line';

/**
 * Reads the files that people upload, one of an organization at a time, each in a process of its own: a table of 3 MB takes
 * seconds, and V8 ends the whole process if the memory of a thread is used up by one large array.
 */
@Injectable()
export class CatalogueFiles implements OnModuleInit {
  private readonly queue: FairQueue;

  constructor(
    @Inject(SETTINGS) { TURN_WAIT_MS: waitMs }: Settings,
    private readonly database: Database,
  ) {
    // An organization gets one of them.
    this.queue = new FairQueue({ slots: 2, waitMs });
  }

  /** Removes what processes left that ended by force with their machine. */
  async onModuleInit(): Promise<void> {
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER));
    for (const folder of left.map((name) => join(tmpdir(), name))) {
      // Another API can be reading it, or have removed it.
      const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < Date.now() - 2 * LONGEST_MS) await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * `RecordsOfFile` of it. Organizations take turns.
   *
   * @param gone when nobody waits for the answer any more: the process ends
   * @throws ApiError 400 if the file does not have the format of its extension, has too many records, or costs too much
   * @throws ShareExceeded if it waited longer than TURN_WAIT_MS
   */
  async read(organizationId: string, file: CatalogueFile, gone: AbortSignal): Promise<JsonText> {
    const isTable = TABLES.includes(formatOf(file.name));
    const reply = await this.queue.run(organizationId, async () => {
      if (gone.aborted) throw errors.overloaded();
      const stored = isTable
        ? await storedCalendar(this.database.of(organizationId), organizationId)
        : undefined;
      return inProcess({ file, ...(stored && { stored }) }, gone);
    });
    if ('failure' in reply) throw new Error(reply.failure);
    if ('json' in reply)
      return new JsonText([Buffer.from(reply.json.buffer, reply.json.byteOffset, reply.json.byteLength)]);
    const { path, message } = reply.refused;
    throw errors.invalidBody([problem(path, 'INVALID_VALUE', message)]);
  }
}

async function inProcess(request: FileRequest, gone: AbortSignal): Promise<FileReply> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  const child = fork(PROGRAM, {
    execArgv: [...execArgv, ...MEMORY],
    // What it writes there is removed, however it ends; and it needs no secret.
    env: { TMPDIR: folder },
    serialization: 'advanced',
    // What V8 prints when its memory is used up would be no line of the log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  const end = () => child.kill('SIGKILL');
  gone.addEventListener('abort', end);
  try {
    if (gone.aborted) end();
    else child.send(request);
    const [reply] = await Promise.race([once(child, 'message'), once(child, 'exit').then(endOf)]);
    return reply as FileReply;
  } finally {
    gone.removeEventListener('abort', end);
    end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The reply of a process that ended without one: a signal ended it, after LONGEST_MS or for lack of memory. */
function endOf([code, signal]: unknown[]): [FileReply] {
  if (!signal) throw new Error(`The process that reads a file ended with ${code}`);
  return [{ refused: { path: 'content', message: TOO_COSTLY } }];
}
