import { Module } from '@nestjs/common';
import { Attempts, ImportLocks, ImportMetrics, ImportRunner, Isolation, JobRun } from '#domain/imports';

@Module({
  providers: [Attempts, ImportLocks, ImportRunner, ImportMetrics, Isolation, JobRun],
  exports: [ImportRunner],
})
export class ImportsModule {}
