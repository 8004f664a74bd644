import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ANNOUNCE_WAITING, ORGANIZATIONS_WITH_OPEN_JOBS } from '#domain/imports';
import { ORGANIZATIONS_WITH_PERSON_JOBS } from '#domain/participants';
import { foldLog, ORGANIZATIONS_WITH_WORK } from '#domain/race-day';
import { FanOut, Outbox, WebhookRunner } from '#domain/webhooks';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, statement } from '#platform/database';
import { JobProducer } from '#platform/queues';
import { inRounds, RepeatedTask } from '#platform/scheduling';
import { Maintenance } from '../maintenance/maintenance';
import { Refreshes } from '../maintenance/refreshes';
import { organizationsInTurn } from './organizations-in-turn';

/** Organizations of a run, and messages of a step, when old messages of race days are folded. */
const ORGANIZATIONS = 1_000;
const STEP = 1_000;

/** A sweep adds no more jobs than this to those that wait, to keep the queue short. */
const MOST_WAITING = { imports: 100, 'race-day': 1_000, persons: 100 };

const NEXT_ORGANIZATIONS = statement({
  parameters: ['uuid', 'int'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_beyond($1, $2) id',
});

interface Sweep {
  everyMs: number;
  /** Begins no further step when `isStopped`. */
  run(isStopped: () => boolean): Promise<unknown>;
}

/** Repeats the work of the worker that no job announces, or whose job a queue may have lost. Runs of one sweep never overlap. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly tasks: RepeatedTask[] = [];
  readonly sweeps: Readonly<Record<string, Sweep>>;

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    maintenance: Maintenance,
    refreshes: Refreshes,
    fanOut: FanOut,
    outbox: Outbox,
    webhooks: WebhookRunner,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const { SWEEP_MS, MAINTENANCE_MS, WEBHOOK_SWEEP_MS, WORKER_QUEUES, WEBHOOK_SECRETS_KEY } = settings;
    this.sweeps = {
      imports: { everyMs: SWEEP_MS, run: this.lostJobs('imports', ORGANIZATIONS_WITH_OPEN_JOBS) },
      'long waits of imports': { everyMs: MAINTENANCE_MS, run: this.longWaits() },
      'race day': { everyMs: SWEEP_MS, run: this.lostJobs('race-day', ORGANIZATIONS_WITH_WORK) },
      'folding of messages': { everyMs: MAINTENANCE_MS, run: this.folding() },
      persons: { everyMs: SWEEP_MS, run: this.lostJobs('persons', ORGANIZATIONS_WITH_PERSON_JOBS) },
      refreshes: { everyMs: SWEEP_MS, run: (isStopped) => refreshes.run(isStopped) },
      maintenance: { everyMs: MAINTENANCE_MS, run: (isStopped) => maintenance.run(isStopped) },
      // Only in workers that send webhooks, because others can't decrypt the secrets. Two sweeps, so that retries do not
      // wait while very many events become deliveries.
      ...(WORKER_QUEUES.includes('webhooks') &&
        WEBHOOK_SECRETS_KEY && {
          'webhook deliveries': {
            everyMs: WEBHOOK_SWEEP_MS,
            run: (isStopped) =>
              fanOut.run(
                (organizationId, endpointId) => webhooks.deliverNow({ organizationId, endpointId }),
                isStopped,
              ),
          },
          'due webhooks': {
            everyMs: WEBHOOK_SWEEP_MS,
            run: async () => {
              for (const endpoint of await outbox.dueEndpoints()) producer.enqueue('webhooks', endpoint);
            },
          },
        }),
    };
  }

  onApplicationBootstrap(): void {
    for (const [name, { everyMs, run }] of Object.entries(this.sweeps)) {
      const logger = new Logger(name);
      const task = new RepeatedTask(everyMs, run, (error) => logger.error(error));
      task.start();
      this.tasks.push(task);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Enqueues organizations whose work is in the database, in case the queue lost it or its worker died. */
  private lostJobs(
    queue: keyof typeof MOST_WAITING,
    withWork: typeof ORGANIZATIONS_WITH_OPEN_JOBS,
  ): Sweep['run'] {
    const next = organizationsInTurn((after, most) =>
      this.database.everywhere((on) => withWork.rows(on, [after, most])),
    );
    return async () => {
      const most = MOST_WAITING[queue] - (await this.producer.waiting(queue));
      if (most <= 0) return;
      for (const organizationId of await next(most)) this.producer.enqueue(queue, { organizationId });
    };
  }

  /** Announces imports that wait unusually long. */
  private longWaits(): Sweep['run'] {
    const next = organizationsInTurn((after, most) =>
      this.database.everywhere((on) => ORGANIZATIONS_WITH_OPEN_JOBS.rows(on, [after, most])),
    );
    return (isStopped) =>
      inRounds(
        () => next(ORGANIZATIONS),
        async (id) => {
          await ANNOUNCE_WAITING.run(this.database.of(id), [id]);
          return false;
        },
        isStopped,
      );
  }

  /** Deletes and counts superseded race-day messages, in rounds of a step for each organization. */
  private folding(): Sweep['run'] {
    const next = organizationsInTurn((after, most) =>
      this.database.anywhere((on) => NEXT_ORGANIZATIONS.rows(on, [after, most])),
    );
    const fold = (id: string) =>
      this.database
        .of(id)
        .transaction((manager) => foldLog(manager, id, this.settings.RACE_DAY_LOG_DAYS, STEP));
    return async (isStopped) => {
      const ids = await next(ORGANIZATIONS);
      await inRounds(
        async () => ids.splice(0),
        async (id) => {
          const more = (await fold(id)) === STEP;
          if (more) ids.push(id);
          return more;
        },
        isStopped,
      );
    };
  }
}
