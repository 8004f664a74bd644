import { Module } from '@nestjs/common';
import { ImportRunner } from './import-runner';
import { ImportSweeper } from './import-sweeper';

@Module({ providers: [ImportRunner, ImportSweeper], exports: [ImportRunner] })
export class ImportsModule {}
