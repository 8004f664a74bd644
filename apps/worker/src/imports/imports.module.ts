import { Module } from '@nestjs/common';
import { ImportMetrics, ImportRunner, ImportSweeper } from '#libs/imports';

@Module({ providers: [ImportRunner, ImportSweeper, ImportMetrics], exports: [ImportRunner] })
export class ImportsModule {}
