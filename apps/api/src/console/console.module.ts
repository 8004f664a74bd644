import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { StaffImportJobsController } from './import-jobs.controller';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { OccurrencesController } from './occurrences.controller';
import { PagesController } from './pages.controller';
import { StaffParticipantsController } from './participants.controller';
import { StaffParticipantsService } from './participants.service';
import { SessionController } from './session.controller';
import { SessionService } from './session.service';
import { StaffController } from './staff.controller';
import { StaffService } from './staff.service';

/** The console's pages, and its operations beyond the public API. */
@Module({
  controllers: [
    SessionController,
    StaffController,
    KeysController,
    AuditController,
    StaffImportJobsController,
    StaffParticipantsController,
    OccurrencesController,
    PagesController,
  ],
  providers: [SessionService, StaffService, KeysService, StaffParticipantsService],
})
export class ConsoleModule {}
