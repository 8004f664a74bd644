import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { SessionController } from './session.controller';
import { SessionService } from './session.service';
import { StaffController } from './staff.controller';
import { StaffService } from './staff.service';

/** What the console does beyond the public API. */
@Module({
  controllers: [SessionController, StaffController, KeysController, AuditController],
  providers: [SessionService, StaffService, KeysService],
})
export class ConsoleModule {}
