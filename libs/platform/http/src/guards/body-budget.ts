import { errors } from '#platform/validation';

/** The fixed cost in bytes of a request with a body, so that many idle requests count as well. */
const REQUEST = 16_384;
/** The last tenth of the memory is for organizations that use less than this share. */
const SMALL = 1 / 64;
const RESERVED = 0.1;
/** The speed of a body is not measured in its first second. */
const FIRST_MS = 1_000;

/** The share of a body in the budget. */
export interface BodyShare {
  /**
   * Call it before memory is allocated for received bytes.
   *
   * @throws ApiError 503 if this body is cut off
   */
  grow(bytes: number): void;
  /** The body is complete and can't be cut off any more. */
  complete(): void;
  /** The response was sent. */
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
 * The memory budget for bodies of this process. Bytes count from their receipt until the response is sent, including the
 * waits for the checking thread and the database.
 *
 * The bodies of an organization may use as many bytes as they leave free (half of the limit, if it is the only one), so
 * that there is always room for another one; a single body may use all that is free. Beyond that, the slowest of its
 * incomplete bodies is cut off. If the memory is nearly full, the slowest body of the organization with the most bytes
 * is cut off.
 */
export class BodyBudget {
  private total = 0;
  private readonly holders = new Map<string, Holder>();

  /** @param limit the bytes of all bodies; the only body of an organization may use all that is free */
  constructor(private readonly limit: number) {}

  /**
   * @param onCut cuts off the body to free memory
   * @throws ApiError 503 if there is no room for another body
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

  /** The body to cut off, which can be this one. */
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
