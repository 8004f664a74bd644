import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type ConnectionOptions, dataSourceOptions } from './data-source';
import { Database } from './database';

/** Connects at start; every module may then inject `Database`, or TypeORM's `DataSource`. */
@Module({})
export class DatabaseModule {
  static forRoot(options: ConnectionOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 30, retryDelay: 1_000 }),
      ],
      providers: [Database],
      exports: [Database],
    };
  }
}
