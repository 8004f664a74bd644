import { Module } from '@nestjs/common';
import { ImportMetrics } from '#libs/imports';
import { ImportRunner } from './import-runner';
import { ImportSweeper } from './import-sweeper';

@Module({ providers: [ImportRunner, ImportSweeper, ImportMetrics], exports: [ImportRunner] })
export class ImportsModule {}
