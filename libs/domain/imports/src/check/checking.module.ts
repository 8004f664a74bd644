import { Global, Module } from '@nestjs/common';
import { CHECKING_THREAD, IMPORT_INTAKE } from '#platform/validation';
import { DailyIntake } from '../daily-intake';
import { BatchChecker } from './batch-checker';

/** The checking thread, for imports and other bodies, and the intake of imports. */
@Global()
@Module({
  providers: [
    BatchChecker,
    { provide: CHECKING_THREAD, useExisting: BatchChecker },
    DailyIntake,
    { provide: IMPORT_INTAKE, useExisting: DailyIntake },
  ],
  exports: [BatchChecker, CHECKING_THREAD, DailyIntake, IMPORT_INTAKE],
})
export class CheckingModule {}
