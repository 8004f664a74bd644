import { Module, type OnModuleInit } from '@nestjs/common';
import {
  IMPORT_DEFINITIONS,
  ImportsDomainModule,
  ImportUndoService,
  requireFreshShapes,
} from '#domain/imports';
import { importController } from './import.controller';
import { ImportControl } from './import-control.service';
import { ImportJobsController } from './import-jobs.controller';

@Module({
  controllers: [...IMPORT_DEFINITIONS.map(({ surface }) => importController(surface)), ImportJobsController],
  imports: [ImportsDomainModule],
  providers: [ImportControl, ImportUndoService],
})
export class ImportsModule implements OnModuleInit {
  /** @throws Error if openapi.json is older than the classes of rows */
  onModuleInit(): void {
    requireFreshShapes();
  }
}
