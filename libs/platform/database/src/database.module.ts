import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FairQueue } from '#platform/scheduling';
import { type ConnectionOptions, createDataSource, dataSourceOptions } from './data-source';
import { Database } from './database';
import { Cluster } from './distributed/cluster';
import { isDistributed } from './distributed/requirements';
import { requireErasureSecret } from './erasure-secret';
import { outliveConnections } from './lost-connections';
import { Replica, type ReplicaOptions } from './replica';
import { poolOf } from './statement';
import { Watermark } from './watermark';

/** The rest of the pool is for statements of the process itself: rate counts, keys, the watermark. */
const OWN = 0.1;

const shareOut = ({ poolSize = 1, poolWaitMs = 1_000 }: ConnectionOptions): FairQueue =>
  new FairQueue({
    slots: Math.max(1, poolSize - Math.max(1, Math.floor(poolSize * OWN))),
    waitMs: poolWaitMs,
  });

/** Connects at start. Every module can inject `Database`, or TypeORM's `DataSource`. */
@Module({})
export class DatabaseModule {
  /**
   * @param watermarkMs how often the watermark of lists is read
   * @param nodeTimeoutMs how long a server of a distributed database may take to respond, before it counts as away
   * @param erasureSecret ERASURE_SECRET, which must be the one of the database
   * @param share whether connections are shared fairly among organizations
   * @param replica a replica that can serve lists by `updatedAt`
   */
  static forRoot(
    given: ConnectionOptions & {
      watermarkMs: number;
      nodeTimeoutMs: number;
      erasureSecret: string | undefined;
      replica?: ReplicaOptions;
      share?: boolean;
    },
  ): DynamicModule {
    const options = { ...given, oneOrganization: true };
    return {
      module: DatabaseModule,
      global: true,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 0 })],
      providers: [
        {
          provide: Database,
          inject: [DataSource],
          useFactory: async (dataSource: DataSource) => {
            outliveConnections(poolOf(dataSource));
            try {
              await requireErasureSecret(dataSource, options.erasureSecret);
            } catch (error) {
              await dataSource.destroy();
              throw error;
            }
            const nodes = (await isDistributed(dataSource))
              ? new Cluster(dataSource, (url) => createDataSource({ ...options, url }))
              : undefined;
            nodes?.watch(options.nodeTimeoutMs);
            return new Database(dataSource, options.share ? () => shareOut(options) : undefined, nodes);
          },
        },
        {
          provide: Watermark,
          inject: [Database],
          useFactory: (database: Database) =>
            new Watermark(database, options.watermarkMs, options.replica?.maxLagMs),
        },
        {
          provide: Replica,
          inject: [Watermark],
          useFactory: (watermark: Watermark) =>
            new Replica(watermark, options.replica && { ...options.replica, oneOrganization: true }),
        },
      ],
      exports: [Database, Watermark, Replica],
    };
  }
}
