import {
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, statement } from '#platform/database';
import { RepeatedTask } from '#platform/scheduling';
import type { ApiRequest } from '../request';

/** The most requests between two batches, of refusals and of others. */
const MOST_WAITING = 2_000;
const EVERY_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Others than refusals leave this share of the rows free (`record_requests`). */
const FOR_REFUSALS = 4;

const RECORD = statement({
  parameters: ['json', 'int'],
  columns: { keyId: 'uuid', hour: 'float8', written: 'int' },
  sql: `
    SELECT api_key_id AS "keyId", (extract(epoch FROM hour) * 1000)::float8 AS hour, written
    FROM record_requests($1, $2)
  `,
  prepared: true,
});

interface Entry {
  organization_id: string;
  api_key_id: string;
  at: Date;
  operation: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  request_id: string;
}

/**
 * The log of requests with API keys, written in batches: a request itself writes nothing. If the process is killed or the
 * database is unavailable, a batch is lost. Of a key that has its rows of the hour, nothing is collected.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('requests');
  private refusals: Entry[] = [];
  private others: Entry[] = [];
  /** The rows of keys in their last hour, if they are many. */
  private readonly written = new Map<string, { hour: number; rows: number }>();
  private readonly task = new RepeatedTask(
    EVERY_MS,
    () => this.write(),
    ({ message }) => this.logger.warn(`A batch of the request log was lost: ${message}`),
  );

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await this.write().catch(() => {});
  }

  add({ caller, operation, method, route, id }: ApiRequest, status: number, ms: number): void {
    if (!caller || !operation || caller.kind === 'STAFF' || this.settings.REQUEST_LOG_DAYS === 0) return;
    const { organizationId, keyId } = caller;
    const at = new Date(Date.now() - ms);
    const refused = status >= 400;
    const waiting = refused ? this.refusals : this.others;
    if (waiting.length >= MOST_WAITING || !this.hasRoom(keyId, at.getTime(), refused)) return;
    waiting.push({
      organization_id: organizationId,
      api_key_id: keyId,
      at,
      operation: operation.name,
      method,
      route: String(route?.path ?? '').replace(/:(\w+)/g, '{$1}'),
      status,
      ms: Math.round(ms * 100) / 100,
      request_id: id,
    });
  }

  private hasRoom(keyId: string, at: number, refused: boolean): boolean {
    const { REQUEST_LOG_ROWS: most } = this.settings;
    const known = this.written.get(keyId);
    const rows = known && known.hour === at - (at % HOUR_MS) ? known.rows : 0;
    return rows < (refused ? most : most - Math.floor(most / FOR_REFUSALS));
  }

  private async write(): Promise<void> {
    const entries = [...this.refusals, ...this.others];
    this.refusals = [];
    this.others = [];
    if (entries.length === 0) return;
    const { REQUEST_LOG_ROWS: most } = this.settings;
    const counts = await this.database.everywhere((on) => RECORD.rows(on, [JSON.stringify(entries), most]));
    const thisHour = Date.now() - HOUR_MS;
    for (const [keyId, { hour }] of this.written) if (hour < thisHour) this.written.delete(keyId);
    for (const { keyId, hour, written } of counts)
      if (written >= most / 2) this.written.set(keyId, { hour, rows: written });
  }
}

/** Not global, so that it ends before the connections do: Nest ends modules that are not global first. */
@Module({ providers: [RequestLog], exports: [RequestLog] })
export class RequestLogModule {}
