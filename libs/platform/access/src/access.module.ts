import { Global, Module } from '@nestjs/common';
import { AccessChanges } from './access-changes';
import { IdempotencyKeys } from './idempotency-keys';
import { Keys } from './keys';
import { StaffSessions } from './staff-sessions';

/** Provides the services that resolve a token or a cookie to a caller, and the idempotency keys of callers. */
@Global()
@Module({
  providers: [AccessChanges, Keys, StaffSessions, IdempotencyKeys],
  exports: [Keys, StaffSessions, IdempotencyKeys],
})
export class AccessModule {}
