import { Gauge, type Registry } from 'prom-client';

/** One value of one gauge. */
export interface Sample {
  gauge: string;
  labels?: Record<string, string>;
  value: number;
}

export interface AskedGauges {
  /** What each gauge tells, by its name. */
  gauges: Record<string, { help: string; labels?: readonly string[] }>;
  /** One question to the database or the queue, whose cost has a bound. */
  ask(): Promise<Sample[]>;
  /** Told each time it was not answered. */
  onFailure(): void;
}

/** How long an answer is good for, so that whoever can read the metrics can't make us ask all the time. */
const FRESH_MS = 1_000;
/** How long a scrape waits for an answer. */
const PATIENCE_MS = 1_000;

/**
 * Gauges that are read elsewhere when somebody scrapes. They never fail the scrape nor hold it up: without an
 * answer they are left out of it, rather than told as they were. A question that is not answered is not repeated.
 */
export function askedGauges(registry: Registry, { gauges, ask, onFailure }: AskedGauges): void {
  let underWay = false;
  let answer: { at: number; samples: Promise<Sample[]> } | undefined;

  const asked = async (): Promise<Sample[]> => {
    underWay = true;
    const question = ask().finally(() => {
      underWay = false;
    });
    try {
      return await within(PATIENCE_MS, question);
    } catch {
      onFailure();
      return [];
    }
  };
  const samples = (): Promise<Sample[]> => {
    const fresh = answer && performance.now() - answer.at < FRESH_MS;
    if (!fresh && !underWay) answer = { at: performance.now(), samples: asked() };
    else if (!fresh) return Promise.resolve([]);
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
