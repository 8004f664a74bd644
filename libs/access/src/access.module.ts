import { Global, Module } from '@nestjs/common';
import { AccessChanges } from './access-changes';
import { Keys } from './keys';
import { StaffSessions } from './staff-sessions';

/** Provides the services that resolve a token or a cookie to a caller. */
@Global()
@Module({ providers: [AccessChanges, Keys, StaffSessions], exports: [Keys, StaffSessions] })
export class AccessModule {}
