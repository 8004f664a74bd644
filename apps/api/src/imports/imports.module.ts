import { Module, type OnModuleInit } from '@nestjs/common';
import { IdempotencyKeys } from '#libs/idempotency';
import {
  CheckingModule,
  IMPORT_DEFINITIONS,
  ImportMetrics,
  ImportSubmission,
  requireFreshShapes,
} from '#libs/imports';
import { ImportControl } from './import-control.service';
import { importController } from './import-controllers';
import { ImportJobsController } from './import-jobs.controller';

@Module({
  controllers: [...IMPORT_DEFINITIONS.map(({ surface }) => importController(surface)), ImportJobsController],
  imports: [CheckingModule],
  providers: [IdempotencyKeys, ImportSubmission, ImportMetrics, ImportControl],
})
export class ImportsModule implements OnModuleInit {
  /** @throws Error if openapi.json is older than the classes of rows */
  onModuleInit(): void {
    requireFreshShapes();
  }
}
