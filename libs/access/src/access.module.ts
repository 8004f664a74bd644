import { Global, Module } from '@nestjs/common';
import { AccessChanges } from './access-changes';
import { Keys } from './keys';
import { StaffSessions } from './staff-sessions';

/** Gives the guards what turns a token or a cookie into a caller. */
@Global()
@Module({ providers: [AccessChanges, Keys, StaffSessions], exports: [Keys, StaffSessions] })
export class AccessModule {}
