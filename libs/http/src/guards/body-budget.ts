import { errors } from '#libs/errors';

/** Bytes that a request with a body costs besides its body: so many idle connections are not free either. */
const REQUEST = 16_384;
/** The last tenth of the memory is for organizations that hold less than this part of it. */
const SMALL = 1 / 64;
const RESERVED = 0.1;
/** A body's speed in its first second says nothing. */
const FIRST_MS = 1_000;

/** What one body holds of the budget. */
export interface BodyShare {
  /**
   * Before memory is taken for bytes that arrived.
   *
   * @throws ApiError 503 where this body has to make room
   */
  grow(bytes: number): void;
  /** The body is whole: it won't be cut off any more. */
  complete(): void;
  /** Its answer is sent. */
  release(): void;
}

interface Holder {
  bytes: number;
  bodies: number;
  arriving: Set<Arriving>;
}

interface Arriving {
  bytes: number;
  began: number;
  cut(): void;
}

/**
 * The memory that bodies may take in this process, counted as they arrive and until their answers are sent: as long
 * as they wait for the thread that checks imports, or for the database.
 *
 * An organization may hold as much as is free, so that there is room for one more however many are at it. Beyond
 * that, the slowest of its bodies that are still arriving is cut off; where memory is short altogether, the slowest
 * one of the organization that holds the most.
 */
export class BodyBudget {
  private total = 0;
  private readonly holders = new Map<string, Holder>();

  /** @param limit bytes of all bodies; an organization's only body may take all that is free */
  constructor(private readonly limit: number) {}

  /**
   * @param onCut ends the reading of the body, which makes room for another
   * @throws ApiError 503 where there is no room for another body
   */
  open(organizationId: string, onCut: () => void): BodyShare {
    const holder = this.holders.get(organizationId) ?? { bytes: 0, bodies: 0, arriving: new Set() };
    this.holders.set(organizationId, holder);
    holder.bodies++;
    const body: Arriving = {
      bytes: 0,
      began: performance.now(),
      cut: () => {
        release();
        onCut();
      },
    };
    holder.arriving.add(body);
    const add = (bytes: number) => {
      body.bytes += bytes;
      holder.bytes += bytes;
      this.total += bytes;
    };
    let isOpen = true;
    const release = () => {
      if (!isOpen) return;
      isOpen = false;
      holder.arriving.delete(body);
      add(-body.bytes);
      holder.bodies--;
      if (holder.bodies === 0) this.holders.delete(organizationId);
    };
    const grow = (bytes: number) => {
      if (isOpen) add(bytes);
      while (isOpen && this.isBeyond(holder)) this.victimFor(holder, body).cut();
      if (!isOpen) throw errors.overloaded({ connection: 'close' });
    };
    grow(REQUEST);
    return { grow, release, complete: () => void holder.arriving.delete(body) };
  }

  private isBeyond({ bytes, bodies }: Holder): boolean {
    const beyondShare = bodies > 1 && bytes > this.limit - this.total;
    const reserved = bytes > this.limit * SMALL ? this.limit * RESERVED : 0;
    return beyondShare || this.total > this.limit - reserved;
  }

  /** Which body has to go so that this one may stay; perhaps this one. */
  private victimFor(holder: Holder, body: Arriving): Arriving {
    let largest = holder;
    if (this.total > this.limit * (1 - RESERVED)) {
      for (const other of this.holders.values()) {
        if (other.bytes > largest.bytes && other.arriving.size > 0) largest = other;
      }
    }
    return slowestOf(largest.arriving) ?? body;
  }
}

function slowestOf(bodies: Iterable<Arriving>): Arriving | undefined {
  const now = performance.now();
  let slowest: Arriving | undefined;
  let speed = Number.POSITIVE_INFINITY;
  for (const body of bodies) {
    const its = body.bytes / Math.max(FIRST_MS, now - body.began);
    if (its < speed) {
      slowest = body;
      speed = its;
    }
  }
  return slowest;
}
