import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { JsonText } from '#platform/queries';
import { FairQueue } from '#platform/scheduling';
import { errors, problem } from '#platform/validation';
import type { CatalogueFile } from './catalogue-file.dto';
import type { FileReply } from './file-thread';

/** In development, the thread runs from source. */
const FROM_SOURCE = __filename.endsWith('.ts');
const THREAD = join(__dirname, `file-thread${FROM_SOURCE ? '.ts' : '.js'}`);
// Absent, the thread inherits them; listed, Node rejects flags of V8.
const OPTIONS = FROM_SOURCE ? { execArgv: ['-C', 'source', '-r', '@swc-node/register'] } : {};
/** What the file of a person needs many times over. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const LONGEST_MS = 30_000;
const TOO_COSTLY = 'needs too much time or memory to be read: load it with the command line';

/** Reads the files that people upload, one of an organization at a time, each in a thread of its own: a table of 3 MB takes seconds. */
@Injectable()
export class CatalogueFiles {
  private readonly queue: FairQueue;

  constructor(@Inject(SETTINGS) { CHECK_WAIT_MS: waitMs }: Settings) {
    // An organization gets one of them.
    this.queue = new FairQueue({ slots: 2, waitMs });
  }

  /**
   * `RecordsOfFile` of it. Organizations take turns.
   *
   * @throws ApiError 400 if the file does not have the format of its extension, has too many records, or costs too much
   * @throws ShareExceeded if it waited longer than CHECK_WAIT_MS
   */
  async read(organizationId: string, file: CatalogueFile): Promise<JsonText> {
    const reply = await this.queue.run(organizationId, () => inThread(file));
    if ('json' in reply) return new JsonText([Buffer.from(reply.json.buffer)]);
    const { path, message } = reply.refused;
    throw errors.invalidBody([problem(path, 'INVALID_VALUE', message)]);
  }
}

async function inThread(file: CatalogueFile): Promise<FileReply> {
  const folder = await mkdtemp(join(tmpdir(), 'startline-upload-'));
  const thread = new Worker(THREAD, {
    ...OPTIONS,
    workerData: { ...file, folder },
    resourceLimits: LIMITS,
  });
  const late = new AbortController();
  try {
    const [reply] = await Promise.race([
      once(thread, 'message'),
      sleep(LONGEST_MS, [tooCostly], { signal: late.signal }),
    ]);
    return reply as FileReply;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return tooCostly;
    throw error;
  } finally {
    late.abort();
    await thread.terminate();
    // Here, so that it is also removed if the thread was ended.
    await rm(folder, { recursive: true, force: true });
  }
}

const tooCostly: FileReply = { refused: { path: 'content', message: TOO_COSTLY } };
