import { Module } from '@nestjs/common';
import { ImportMetrics } from '#libs/imports';
import { Attempts } from './attempts';
import { ImportLocks } from './import-locks';
import { ImportRunner } from './import-runner';
import { ImportSweeper } from './import-sweeper';
import { Isolation } from './isolation';
import { JobRun } from './job-run';

@Module({
  providers: [Attempts, ImportLocks, ImportRunner, ImportSweeper, ImportMetrics, Isolation, JobRun],
  exports: [ImportRunner],
})
export class ImportsModule {}
