import { pace } from '../harness';

export interface Item {
  id: string;
  updatedAt: string;
}

interface Page {
  status: number;
  body: { data: Item[]; page: { last: string } };
}

const PAUSE_MS = 20;
const PAGE = '50';

/** How a poller continues, as docs/interface.md describes. */
export const PATTERNS = {
  'by cursor': ({ cursor }: Poller) => ({ 'sort[updatedAt]': '1', 'page[after]': cursor }),
  'from the highest updatedAt': ({ highest }: Poller) => ({
    'updatedAt[after]': highest,
    'sort[updatedAt]': '1',
  }),
};

/** Reads one list by `updatedAt` repeatedly, and stores what it saw. */
export class Poller {
  cursor = '';
  highest = '2000-01-01T00:00:00Z';
  /** The newest version of each item that it saw. */
  readonly seen = new Map<string, string>();
  /** Items that came after one with a later `updatedAt`. */
  disordered = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  /** @param ask sends a GET; its failures are retried */
  constructor(
    readonly pattern: keyof typeof PATTERNS,
    private readonly list: string,
    private readonly ask: (path: string) => Promise<Page>,
  ) {
    this.running = this.run();
  }

  /** @returns the items that it has not seen in their newest version, after its last poll, which must find nothing new */
  async missing(items: Item[]): Promise<string[]> {
    this.stopped = true;
    await this.running;
    return items.filter(({ id, updatedAt }) => this.seen.get(id) !== updatedAt).map(({ id }) => id);
  }

  private async run(): Promise<void> {
    for (;;) {
      const last = this.stopped;
      const query = new URLSearchParams({ ...PATTERNS[this.pattern](this), 'page[size]': PAGE });
      const page = await this.ask(`${this.list}?${query}`).catch(() => undefined);
      if (page?.status === 200) this.take(page.body);
      if (last && page?.status === 200 && page.body.data.length === 0) return;
      await pace(PAUSE_MS);
    }
  }

  private take({ data, page }: Page['body']): void {
    for (const { id, updatedAt } of data) {
      if (updatedAt < this.highest) this.disordered += 1;
      else this.highest = updatedAt;
      this.seen.set(id, updatedAt);
    }
    this.cursor = page.last || this.cursor;
  }
}
