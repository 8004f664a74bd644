import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, startTimeOf } from './processes';

const WAIT_MS = 60_000;

interface Holder {
  pid: number;
  started: string;
  /** The holder's description of itself. */
  about: string;
}

/** A live process holds the lock. */
export class Claimed extends Error {
  constructor(
    readonly file: string,
    readonly holder: Holder,
  ) {
    super(`Process ${holder.pid} holds the lock ${file}.`);
  }
}

/**
 * Locks a file for this process. The lock of a process that was killed is ignored.
 *
 * @returns releases the lock
 * @throws Claimed
 */
export function claim(file: string, about = ''): () => void {
  const mine: Holder = { pid: process.pid, started: startTimeOf(process.pid), about };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    while (!take(draft, file)) {
      const text = textOf(file);
      const holder = holderIn(text);
      if (holder && isHeld(holder)) throw new Claimed(file, holder);
      if (text !== undefined) remove(file, text);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** What the live process that holds the lock says about itself, or undefined. */
export function heldBy(file: string): string | undefined {
  const holder = holderIn(textOf(file));
  return holder && isHeld(holder) ? holder.about : undefined;
}

const isHeld = ({ pid, started }: Holder): boolean => isAlive(pid) && startTimeOf(pid) === started;

/** Waits until no other process holds the lock. */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const release = await claimInTime(file);
  try {
    return await work();
  } finally {
    release();
  }
}

async function claimInTime(file: string): Promise<() => void> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return claim(file);
    } catch (error) {
      if (!(error instanceof Claimed)) throw error;
      if (Date.now() > end)
        throw new Error(`Process ${error.holder.pid} has been starting for a minute. Stop it and try again.`);
      await sleep(30);
    }
  }
}

/** A link is created atomically with its content, and never replaces another one. */
function take(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a dead process only: if a new lock has replaced it meanwhile, restores that one. */
function remove(file: string, text: string): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
    if (textOf(aside) !== text) take(aside, file);
    rmSync(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function holderIn(text: string | undefined): Holder | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Holder);
  } catch {
    return undefined;
  }
}
