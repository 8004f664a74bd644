import { randomUUID } from 'node:crypto';
import { booking, key } from '#libs/testing';
import { type Answer, eventually, pace, type TestApi } from '../harness';

/** Clients do not retry at once. */
const PAUSE_MS = 10;
const CREDITS = 25;

type Ask = () => Promise<Answer>;

/** Clients that send mixed requests and record the responses. */
export class Load {
  /** The number of responses by status. */
  readonly statuses: Record<number, number> = {};
  /** Unexpected responses, and requests without a response. */
  readonly wrong = new Set<string>();
  private readonly partnerIds: string[] = [];
  private readonly parcels: string[] = [];
  private readonly jobIds: string[] = [];
  private clients: Promise<void>[] = [];
  private stopped = false;

  private constructor(
    private readonly api: TestApi,
    private readonly timingToken: string,
    private readonly participantId: string,
    private readonly pauseMs: number,
  ) {}

  /**
   * @param clients the number of clients of each kind
   * @param pauseMs their pause after each response
   */
  static async on(api: TestApi, { clients = 3, pauseMs = PAUSE_MS } = {}): Promise<Load> {
    const { dataSource, organizationId } = api;
    const { token } = await key(dataSource, { organizationId, kind: 'TIMING' });
    const { entries } = await booking(dataSource, { organizationId });
    const load = new Load(api, token, entries[0]?.participantId as string, pauseMs);
    load.clients = [load.partner, load.timing, load.credits, load.list, load.identity].flatMap((ask) =>
      Array.from({ length: clients }, () => load.run(ask)),
    );
    return load;
  }

  /** Resolves after this many more responses with the status. */
  async answered(status: number, count = 20): Promise<void> {
    const before = this.statuses[status] ?? 0;
    await eventually(async () => (this.statuses[status] ?? 0) >= before + count);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  /** Checks that every write that was answered 200 is stored, and that its work is done. */
  async expectKept(): Promise<void> {
    const { api } = this;
    const of = [api.organizationId];
    const promised = { partners: this.partnerIds, parcels: this.parcels, jobs: this.jobIds };
    for (const ids of Object.values(promised)) expect(ids.length).toBeGreaterThan(0);

    const partners = await api.dataSource.query('SELECT id FROM partners WHERE organization_id = $1', of);
    const parcels = await api.dataSource.query(
      'SELECT tracking_number AS id FROM race_day_log WHERE organization_id = $1',
      of,
    );
    const jobs = await api.dataSource.query('SELECT id FROM import_jobs WHERE organization_id = $1', of);
    const missing = (ids: string[], rows: { id: string }[]) => {
      const there = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !there.has(id));
    };
    expect(missing(this.partnerIds, partners)).toEqual([]);
    expect(missing(this.parcels, parcels)).toEqual([]);
    expect(missing(this.jobIds, jobs)).toEqual([]);

    // A slow machine has a long queue: what counts is that it becomes shorter.
    for (let open = await this.openWork(); open > 0; ) {
      const before = open;
      await eventually(async () => {
        open = await this.openWork();
        return open < before;
      });
    }
    // No record is lost or duplicated.
    const [{ rows, credits, failed, errors }] = await api.dataSource.query(
      `SELECT (SELECT json_agg(DISTINCT error_code || ': ' || error_message) FROM import_rows
          WHERE organization_id = $1 AND outcome = 'FAILED') AS errors,
         (SELECT sum(total_rows)::int FROM import_jobs WHERE organization_id = $1) AS rows,
        (SELECT sum(failed_rows)::int FROM import_jobs WHERE organization_id = $1) AS failed,
        (SELECT count(*)::int FROM credits WHERE organization_id = $1) AS credits`,
      of,
    );
    expect({ credits, failed, errors }).toEqual({ credits: rows, failed: 0, errors: null });
  }

  /** The number of jobs and messages that are not processed. */
  private async openWork(): Promise<number> {
    const [{ open }] = await this.api.dataSource.query(
      `SELECT ((SELECT count(*) FROM import_jobs WHERE organization_id = $1 AND status NOT IN ('COMPLETED', 'FAILED'))
        + (SELECT count(*) FROM race_day_log WHERE organization_id = $1 AND applied_at IS NULL))::int AS open`,
      [this.api.organizationId],
    );
    return open;
  }

  private async run(ask: (this: Load) => Promise<Answer>): Promise<void> {
    while (!this.stopped) {
      const answer = await ask.call(this).catch((error: Error) => void this.wrong.add(String(error)));
      if (answer) this.take(answer);
      await pace(this.pauseMs);
    }
  }

  private take({ status, headers, body, text }: Answer<any>): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status === 200) return;
    const asAgreed = status === 503 && headers.get('retry-after') && body?.statusCode === 503;
    if (!asAgreed) this.wrong.add(`${status} ${text}`);
  }

  private readonly list: Ask = () => this.api.get('/v0/participants?sort%5BupdatedAt%5D=1');
  private readonly identity: Ask = () => this.api.get('/identity');

  private readonly partner: Ask = async () => {
    const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
    const answer = await this.api.send('POST', '/v0/partners', { name: 'Harbour Hospice', contacts });
    if (answer.status === 200) this.partnerIds.push(answer.body.id);
    return answer;
  };

  private readonly timing: Ask = async () => {
    const trackingNumber = randomUUID();
    const message = {
      schemaVersion: '1.0',
      changedAt: new Date().toISOString(),
      data: {
        participantId: this.participantId,
        shipping: { shippedAt: '2026-05-04T08:00:00Z', trackingNumber },
      },
    };
    const answer = await this.api.send('POST', '/timing-inbound/v1', message, this.timingToken);
    if (answer.status === 200) this.parcels.push(trackingNumber);
    return answer;
  };

  private readonly credits: Ask = async () => {
    const credits = Array.from({ length: CREDITS }, () => ({
      externalCreditId: randomUUID(),
      email: 'ada@example.com',
      amount: { value: 500, currencyCode: 'GBP' },
    }));
    const answer = await this.api.send('POST', '/v0/credits/import', { credits });
    if (answer.status === 200) this.jobIds.push(answer.body.jobId);
    return answer;
  };
}
