import { Module } from '@nestjs/common';
import { CheckingModule } from './check/checking.module';
import { ImportMetrics } from './import-metrics';
import { ImportSubmission } from './import-submission';

/** Submission of imports, for the modules of the api. */
@Module({
  imports: [CheckingModule],
  providers: [ImportMetrics, ImportSubmission],
  exports: [ImportMetrics, ImportSubmission],
})
export class ImportsDomainModule {}
