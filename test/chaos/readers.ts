import { randomUUID } from 'node:crypto';
import { check, type Ledger } from './ledger';
import type { Loop, Requests } from './requests';
import type { Target } from './target';

const PAGE = 100;

/** The newest partners, and their ETag. */
interface Newest {
  ids: string[];
  etag: string | null;
}

/** Clients that compare what they read with what they were told. */
export class Readers {
  private events = '';
  private lastEventAt = '';

  constructor(
    private readonly requests: Requests,
    private readonly ledger: Ledger,
    private readonly target: Target,
  ) {}

  get loops(): Loop[] {
    return [
      [() => this.follow(), 50],
      [() => this.rename(), 100],
      [() => this.walk(), 300],
      [() => this.stranger(), 100],
    ];
  }

  /** Reads the next page of change events. */
  async follow(): Promise<void> {
    const query = new URLSearchParams({
      'page[size]': '500',
      'sort[timestamp]': '1',
      ...(this.events && { 'page[after]': this.events }),
    });
    const reply = await this.requests.ask('change events', `/v0/change-events?${query}`);
    if (!reply || reply.body.data.length === 0) return;
    for (const { id, timestamp } of reply.body.data) {
      check(this.ledger.eventOrder, timestamp >= this.lastEventAt);
      this.lastEventAt = timestamp;
      this.ledger.events.set(id, timestamp);
    }
    this.events = reply.body.page.last;
  }

  /** @param etag of an earlier response. If it still applies, there are no new partners. */
  async newest(etag?: string | null): Promise<Newest | undefined> {
    const query = new URLSearchParams({ 'sort[createdAt]': '-1', 'page[size]': String(PAGE) });
    const reply = await this.requests.ask('newest partners', `/v0/partners?${query}`, {
      headers: etag ? { 'if-none-match': etag } : {},
      expected: [200, 304],
    });
    if (!reply) return undefined;
    const ids = (reply.body?.data ?? []).map(({ id }: { id: string }) => id);
    return { ids, etag: reply.headers.get('etag') };
  }

  /** Renames a partner, and reads it with the ETag of before. */
  private async rename(): Promise<void> {
    const path = `/v0/partners/${this.target.partnerId}`;
    const before = await this.requests.ask('partner with its ETag', path);
    if (!before) return;
    const name = `Hospice ${randomUUID()}`;
    if (!(await this.requests.ask('partner renamed', path, { method: 'PATCH', body: { name } }))) return;
    const after = await this.requests.ask('partner with its ETag', path, {
      headers: { 'if-none-match': before.headers.get('etag') ?? '"none"' },
      expected: [200, 304],
    });
    if (after) check(this.ledger.tags, after.body?.name === name);
  }

  /** Reads a list page by page, while others write. */
  private async walk(): Promise<void> {
    const known = [...this.ledger.partners];
    const ids: string[] = [];
    for (let after = ''; ; ) {
      const query = new URLSearchParams({
        'page[size]': String(PAGE),
        ...(after && { 'page[after]': after }),
      });
      const page = await this.requests.ask('page of partners', `/v0/partners?${query}`);
      if (!page) return;
      ids.push(...page.body.data.map(({ id }: { id: string }) => id));
      after = page.body.page.next;
      if (!after) break;
    }
    const found = new Set(ids);
    for (const id of known) check(this.ledger.walked, found.has(id));
    check(this.ledger.walkedTwice, found.size === ids.length);
  }

  /** The key of another organization finds nothing of this one. */
  private async stranger(): Promise<void> {
    const { strangersToken: token } = this.target;
    const id = this.ledger.partners.at(-1) ?? this.target.partnerId;
    const expected = [200, 404];
    const read = await this.requests.ask('stranger’s read', `/v0/partners/${id}`, { token, expected });
    if (read) check(this.ledger.strangers, read.status === 404);
    const list = await this.requests.ask('stranger’s list', '/v0/participants', { token });
    if (list) check(this.ledger.strangers, list.body.data.length === 0);
  }
}
