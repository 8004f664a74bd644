import { Gauge, type Registry } from 'prom-client';

/** A sample of a gauge. */
export interface Sample {
  gauge: string;
  labels?: Record<string, string>;
  value: number;
}

export interface AskedGauges {
  /** The descriptions of the gauges, by name. */
  gauges: Record<string, { help: string; labels?: readonly string[] }>;
  /** A query to the database or the queue, with a bounded cost. */
  ask(): Promise<Sample[]>;
  /** How long a scrape waits for it. */
  patienceMs?: number;
  /** Called each time the query fails. */
  onFailure(): void;
}

/** How long a result is cached, to bound the load of scrapes. */
const FRESH_MS = 1_000;
const PATIENCE_MS = 1_000;

/**
 * Gauges that are queried at a scrape. A failed or slow query does not fail or delay the scrape: its gauges are missing,
 * instead of outdated. A pending query is not repeated.
 */
export function askedGauges(
  registry: Registry,
  { gauges, ask, onFailure, patienceMs = PATIENCE_MS }: AskedGauges,
): void {
  let underWay = false;
  let answer: { at: number; samples: Promise<Sample[]> } | undefined;

  const asked = async (): Promise<Sample[]> => {
    underWay = true;
    const question = ask().finally(() => {
      underWay = false;
    });
    try {
      return await within(patienceMs, question);
    } catch {
      onFailure();
      return [];
    }
  };
  const samples = (): Promise<Sample[]> => {
    const fresh = answer && performance.now() - answer.at < FRESH_MS;
    if (!fresh && !underWay) answer = { at: performance.now(), samples: asked() };
    return answer?.samples ?? Promise.resolve([]);
  };

  for (const [name, { help, labels = [] }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const known = (await samples()).filter(({ gauge }) => gauge === name);
        this.reset();
        if (!known.length && !labels.length) this.remove();
        for (const { labels: of = {}, value } of known) this.set(of, value);
      },
    });
  }
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the query timed out')), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
