import {
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { linesOf } from '../lines';
import {
  bucketOf,
  type Copy,
  CopyRefused,
  LISTS,
  type List,
  type Owner,
  type Row,
  sameOwner,
  type Time,
} from './copy';

const VERSION = 1;
/** Rows are kept in memory up to this many characters: 256 files are written at a time. */
const HELD_CHARACTERS = 8_000_000;
const SETTLED_EVERY_MS = 30_000;
const LANES = 16;
/** Files that are rewritten at a time. Each is in memory as a whole, and a two hundred and fifty-sixth of the copy. */
const REWRITTEN = 2;
/** After this time without a refresh, the lock of another host counts as left behind. */
const LOCK_MS = 60_000;

interface State {
  version: number;
  owner: Owner;
  since: Partial<Record<List, string>>;
  /** The bytes of each file that count. What lies behind them was written by a process that was killed. */
  bytes: Record<string, number>;
}

/**
 * A copy in a folder: `participants/8b.ndjson` has the participants whose ids end in 8b, one in a line, by id. While
 * it is being written, later lines replace earlier ones of the same id.
 */
export class FolderCopy implements Copy {
  private readonly held = new Map<List, Map<string, string>>();
  private heldCharacters = 0;
  private readonly unsettled = new Set<string>();
  private settledAt = Date.now();
  private refreshing: NodeJS.Timeout | undefined;

  private constructor(
    private readonly folder: string,
    private readonly state: State,
    /** That of the rows in memory, too. */
    private readonly positions: Map<List, string>,
  ) {}

  get owner(): Owner {
    return this.state.owner;
  }

  /** @throws CopyRefused, or the error of the file system */
  static async open(folder: string, key: Owner): Promise<FolderCopy> {
    await mkdir(folder, { recursive: true });
    await lock(join(folder, 'lock'));
    try {
      for (const list of Object.keys(LISTS)) await mkdir(join(folder, list), { recursive: true });
      const stored = await readFile(join(folder, 'startline.json'), 'utf8').catch(absent);
      const state: State = stored
        ? JSON.parse(stored)
        : { version: VERSION, owner: key, since: {}, bytes: {} };
      if (state.version !== VERSION)
        throw new CopyRefused('The copy was made by another release of the client.');
      sameOwner(state.owner, key);
      const copy = new FolderCopy(folder, state, new Map(Object.entries(state.since) as [List, string][]));
      await copy.discardUnfinished();
      copy.refreshing = setInterval(() => copy.refreshLock(), LOCK_MS / 6).unref();
      return copy;
    } catch (error) {
      await rm(join(folder, 'lock'), { force: true });
      throw error;
    }
  }

  since(list: List): string | undefined {
    return this.positions.get(list);
  }

  async store(list: List, rows: readonly Row[], since: string | undefined): Promise<void> {
    const held = this.held.get(list) ?? new Map<string, string>();
    this.held.set(list, held);
    for (const row of rows) {
      const line = JSON.stringify(row);
      held.set(row.id, line);
      this.heldCharacters += line.length;
    }
    if (since !== undefined) this.positions.set(list, since);
    if (this.heldCharacters > HELD_CHARACTERS) await this.write();
  }

  async remove(list: List, ids: readonly string[]): Promise<void> {
    await this.write();
    const gone = new Set(ids);
    const buckets = new Set(ids.map(bucketOf));
    await inLanes(buckets, (bucket) => this.rewrite(`${list}/${bucket}.ndjson`, gone), REWRITTEN);
    await this.save();
  }

  async *times(list: List, bucket?: string): AsyncIterable<Time> {
    await this.write();
    const buckets = bucket === undefined ? allBuckets() : [bucket];
    for (const each of buckets) {
      const times = new Map<string, string>();
      for await (const { row } of rowsOf(join(this.folder, list, `${each}.ndjson`)))
        times.set(row.id, row.updatedAt);
      yield* [...times].sort(([a], [b]) => (a < b ? -1 : 1));
    }
  }

  async settle(): Promise<void> {
    if (Date.now() - this.settledAt < SETTLED_EVERY_MS) return;
    await this.tidy();
  }

  async close(): Promise<void> {
    try {
      await this.tidy();
    } finally {
      clearInterval(this.refreshing);
      await rm(join(this.folder, 'lock'), { force: true });
    }
  }

  private refreshLock(): void {
    const now = new Date();
    utimes(join(this.folder, 'lock'), now, now).catch(() => {});
  }

  private async tidy(): Promise<void> {
    await this.write();
    await inLanes(this.unsettled, (file) => this.rewrite(file), REWRITTEN);
    if (this.unsettled.size > 0) await this.save();
    this.unsettled.clear();
    this.settledAt = Date.now();
  }

  /** Appends what is held in memory; it counts from the moment that the state says so. */
  private async write(): Promise<void> {
    const moved = [...this.positions].some(([list, since]) => this.state.since[list] !== since);
    if (this.heldCharacters === 0 && !moved) return;
    for (const [list, rows] of this.held) {
      const files = new Map<string, string[]>();
      for (const [id, line] of rows) {
        const file = `${list}/${bucketOf(id)}.ndjson`;
        const lines = files.get(file);
        if (lines) lines.push(line);
        else files.set(file, [line]);
      }
      await inLanes(files, async ([file, lines]) => {
        const handle = await open(join(this.folder, file), 'a');
        await using(handle, async () => {
          // After a failed write, part of it may be there.
          await handle.truncate(this.state.bytes[file] ?? 0);
          await handle.appendFile(`${lines.join('\n')}\n`);
          await handle.sync();
          this.state.bytes[file] = (await handle.stat()).size;
        });
        this.unsettled.add(file);
      });
    }
    Object.assign(this.state.since, Object.fromEntries(this.positions));
    await this.save();
    this.held.clear();
    this.heldCharacters = 0;
  }

  /** One line for each id, in the order of the ids. The meaning of the file stays, but for the ids that are gone. */
  private async rewrite(file: string, gone?: ReadonlySet<string>): Promise<void> {
    const path = join(this.folder, file);
    const rows = new Map<string, string>();
    for await (const { row, line } of rowsOf(path)) if (!gone?.has(row.id)) rows.set(row.id, line);
    const text = [...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, line]) => `${line}\n`)
      .join('');
    await replace(path, text);
    this.state.bytes[file] = Buffer.byteLength(text);
  }

  private async save(): Promise<void> {
    await replace(join(this.folder, 'startline.json'), JSON.stringify(this.state));
  }

  private async discardUnfinished(): Promise<void> {
    for (const list of Object.keys(LISTS)) {
      for (const bucket of allBuckets()) {
        const file = `${list}/${bucket}.ndjson`;
        const { size } = (await stat(join(this.folder, file)).catch(absent)) ?? { size: 0 };
        const bytes = this.state.bytes[file] ?? 0;
        if (size > bytes) await truncate(join(this.folder, file), bytes);
        // A rewritten file is smaller than the state that was to follow it says.
        else this.state.bytes[file] = size;
        if (bytes > 0) this.unsettled.add(file);
      }
    }
    await this.save();
  }
}

const allBuckets = () => Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Disks take many files at a time to safety in little more time than one. */
async function inLanes<T>(all: Iterable<T>, work: (one: T) => Promise<void>, lanes = LANES): Promise<void> {
  const left = [...all];
  const lane = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  // All of them, so that none still writes after an error.
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

async function using(handle: FileHandle, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await handle.close();
  }
}

/** The rows of a file. A line that is none is left out: the next comparison finds what is missing. */
async function* rowsOf(path: string): AsyncGenerator<{ row: Row; line: string }> {
  if (!(await stat(path).catch(absent))) return;
  for await (const line of linesOf(path)) {
    const row = parsed(line);
    if (row) yield { row, line };
  }
}

function parsed(line: string): Row | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The file has either its former text or this one, also after a loss of power. */
async function replace(path: string, text: string): Promise<void> {
  const handle = await open(`${path}.new`, 'w');
  await using(handle, async () => {
    await handle.writeFile(text);
    await handle.sync();
  });
  await rename(`${path}.new`, path);
}

/**
 * A process that was killed leaves the lock. On the same host its id shows that it is gone; elsewhere, that it no longer
 * refreshes the lock.
 */
async function lock(path: string): Promise<void> {
  const mine = `${hostname()} ${process.pid}`;
  const taken = await writeFile(path, mine, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  if (taken) return;
  const holder = (await readFile(path, 'utf8').catch(absent)) ?? '';
  const [host, pid] = holder.split(' ');
  const { mtimeMs } = (await stat(path).catch(absent)) ?? { mtimeMs: 0 };
  const isGone = host === hostname() ? !isAlive(Number(pid)) : Date.now() - mtimeMs > LOCK_MS;
  if (holder !== mine && !isGone) {
    throw new CopyRefused(
      `Process ${pid} of ${host} has the copy open. If it has ended, the copy can be opened after a minute.`,
    );
  }
  await rm(path, { force: true });
  await lock(path);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
