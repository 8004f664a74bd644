import { Module } from '@nestjs/common';
import { ImportFigures } from '#libs/imports';
import { ImportRunner } from './import-runner';
import { ImportSweeper } from './import-sweeper';

@Module({ providers: [ImportRunner, ImportSweeper, ImportFigures], exports: [ImportRunner] })
export class ImportsModule {}
