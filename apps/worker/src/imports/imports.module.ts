import { Module } from '@nestjs/common';
import { ImportCollector } from '#libs/imports';
import { ImportRunner } from './import-runner';
import { ImportSweeper } from './import-sweeper';

@Module({ providers: [ImportRunner, ImportSweeper, ImportCollector], exports: [ImportRunner] })
export class ImportsModule {}
