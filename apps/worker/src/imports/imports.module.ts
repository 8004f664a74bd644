import { Module } from '@nestjs/common';
import {
  Attempts,
  ImportLocks,
  ImportMetrics,
  ImportRunner,
  ImportSweeper,
  Isolation,
  JobRun,
} from '#libs/imports';

@Module({
  providers: [Attempts, ImportLocks, ImportRunner, ImportSweeper, ImportMetrics, Isolation, JobRun],
  exports: [ImportRunner],
})
export class ImportsModule {}
