import { Module } from '@nestjs/common';
import { ImportMetrics } from '#libs/imports';
import { ImportRunner } from '#libs/imports';
import { ImportSweeper } from '#libs/imports';

@Module({ providers: [ImportRunner, ImportSweeper, ImportMetrics], exports: [ImportRunner] })
export class ImportsModule {}
