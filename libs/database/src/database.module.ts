import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type ConnectionOptions, dataSourceOptions } from './data-source';
import { Database } from './database';
import { outliveConnections } from './lost-connections';
import { Replica, type ReplicaOptions } from './replica';
import { Watermark } from './watermark';

/** Connects at start; every module may then inject `Database`, or TypeORM's `DataSource`. */
@Module({})
export class DatabaseModule {
  /**
   * @param watermarkMs how often the watermark of lists is read
   * @param replica where lists by `updatedAt` may be read as well
   */
  static forRoot(
    options: ConnectionOptions & { watermarkMs: number; replica?: ReplicaOptions },
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
            const database = new Database(dataSource);
            outliveConnections(database.pool);
            return database;
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
          useFactory: (watermark: Watermark) => new Replica(watermark, options.replica),
        },
      ],
      exports: [Database, Watermark, Replica],
    };
  }
}
