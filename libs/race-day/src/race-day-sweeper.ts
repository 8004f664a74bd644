import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { Database, statement } from '#libs/database';
import { JobProducer } from '#libs/jobs';
import { RepeatedTask } from '#libs/timers';
import { foldLog } from './fold-log';
import { FORGET_WAITING, ORGANIZATIONS_WITH_WORK } from './waiting';

/** Organizations per sweep. The next sweep continues after them. */
const ORGANIZATIONS = 1_000;
/** Messages per step of deletion, and steps per turn. */
const STEP = 1_000;
const STEPS = 10;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const NEXT_ORGANIZATIONS = statement({
  parameters: ['uuid', 'int'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_beyond($1, $2) id',
});

/** Enqueues race-day work that the queue lost, and deletes expired messages, both in bounded steps. */
@Injectable()
export class RaceDaySweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('race day');
  private readonly tasks = [
    new RepeatedTask(
      this.settings.SWEEP_MS,
      () => this.enqueueWork(),
      (error) => this.logger.error(error),
    ),
    new RepeatedTask(
      this.settings.MAINTENANCE_MS,
      async () => {
        await this.forgetWaiting();
        await this.foldLogs();
      },
      (error) => this.logger.error(error),
    ),
  ];
  private stopped = false;
  private sweptUpTo = FIRST_ID;
  private foldedUpTo = FIRST_ID;

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Organizations take turns, so that one with much work does not delay others. */
  async enqueueWork(): Promise<void> {
    const all = await this.database.everywhere((on) =>
      ORGANIZATIONS_WITH_WORK.rows(on, [this.sweptUpTo, ORGANIZATIONS]),
    );
    const found = all.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1)).slice(0, ORGANIZATIONS);
    this.sweptUpTo = (found.length === ORGANIZATIONS && found.at(-1)?.organizationId) || FIRST_ID;
    for (const { organizationId } of found) this.producer.enqueue('race-day', { organizationId });
  }

  async forgetWaiting(): Promise<void> {
    for (let step = 0, full = true; step < STEPS && full; step++) {
      const days = this.settings.UNIDENTIFIED_DAYS;
      const done = await this.database.everywhere((on) => FORGET_WAITING.rows(on, [days, STEP]));
      full = done.some(({ deleted }) => deleted >= STEP);
    }
  }

  async foldLogs(): Promise<void> {
    const found = await this.database.anywhere((on) =>
      NEXT_ORGANIZATIONS.rows(on, [this.foldedUpTo, ORGANIZATIONS]),
    );
    this.foldedUpTo = (found.length === ORGANIZATIONS && found.at(-1)?.id) || FIRST_ID;
    // The node of one organization may be away; that of the next is not.
    let failure: unknown;
    for (const { id } of found) {
      await this.fold(id).catch((error) => {
        failure = error;
      });
    }
    if (failure) throw failure;
  }

  private async fold(id: string): Promise<void> {
    for (let step = 0, passed = STEP; step < STEPS && passed === STEP && !this.stopped; step++) {
      passed = await this.database
        .of(id)
        .transaction((manager) => foldLog(manager, id, this.settings.RACE_DAY_LOG_DAYS, STEP));
    }
  }
}
