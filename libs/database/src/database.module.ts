import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FairQueue } from '#libs/fair-share';
import { type ConnectionOptions, dataSourceOptions } from './data-source';
import { Database } from './database';
import { Horizon } from './horizon';
import { outliveConnections } from './lost-connections';
import { Replica, type ReplicaOptions } from './replica';

/** The rest of the pool is for the process's own statements: counts of rates, keys, the horizon. */
const OWN = 0.1;

const sharesOf = ({ poolSize = 1, poolWaitMs = 1_000 }: ConnectionOptions): FairQueue =>
  new FairQueue({
    slots: Math.max(1, poolSize - Math.max(1, Math.floor(poolSize * OWN))),
    waitMs: poolWaitMs,
  });

/** Connects at start; every module may then inject `Database`, or TypeORM's `DataSource`. */
@Module({})
export class DatabaseModule {
  /**
   * @param horizonMs how often the horizon of lists is read
   * @param share whether organizations share the connections, each its part; else all may ask at once
   * @param replica where lists by `updatedAt` may be read as well
   */
  static forRoot(
    options: ConnectionOptions & { horizonMs: number; replica?: ReplicaOptions; share?: boolean },
  ): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 30, retryDelay: 1_000 }),
      ],
      providers: [
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => {
            const database = new Database(dataSource, options.share ? sharesOf(options) : undefined);
            outliveConnections(database.pool);
            return database;
          },
        },
        {
          provide: Horizon,
          inject: [Database],
          useFactory: (database: Database) =>
            new Horizon(database, options.horizonMs, options.replica?.maxLagMs),
        },
        {
          provide: Replica,
          inject: [Horizon],
          useFactory: (horizon: Horizon) => new Replica(horizon, options.replica),
        },
      ],
      exports: [Database, Horizon, Replica],
    };
  }
}
