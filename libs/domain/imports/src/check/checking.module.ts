import { Global, Module } from '@nestjs/common';
import { CHECKING_THREAD } from '#platform/validation';
import { BatchChecker } from './batch-checker';

/** The checking thread, for imports and other bodies. */
@Global()
@Module({
  providers: [BatchChecker, { provide: CHECKING_THREAD, useExisting: BatchChecker }],
  exports: [BatchChecker, CHECKING_THREAD],
})
export class CheckingModule {}
