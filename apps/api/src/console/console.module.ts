import { Module } from '@nestjs/common';
import { BookingsService } from '#libs/bookings';
import { IdempotencyKeys } from '#libs/idempotency';
import { RaceDayMetricsModule, RaceDayService } from '#libs/race-day';
import { AuditController } from './audit.controller';
import { StaffBookingsController } from './bookings.controller';
import { IdentityProvider } from './identity-provider';
import { StaffImportJobsController } from './import-jobs.controller';
import { ImportUndoController } from './import-undo.controller';
import { ImportUndoService } from './import-undo.service';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { OccurrencesController } from './occurrences.controller';
import { PagesController } from './pages.controller';
import { StaffParticipantsController } from './participants.controller';
import { StaffParticipantsService } from './participants.service';
import { StaffRaceDayController } from './race-day.controller';
import { RequestsController } from './requests.controller';
import { SessionController } from './session.controller';
import { SessionService } from './session.service';
import { SingleSignOnController } from './single-sign-on.controller';
import { SingleSignOnService } from './single-sign-on.service';
import { StaffController } from './staff.controller';
import { StaffService } from './staff.service';

/** The console's pages, and its operations beyond the public API. */
@Module({
  imports: [RaceDayMetricsModule],
  controllers: [
    SessionController,
    SingleSignOnController,
    StaffController,
    KeysController,
    AuditController,
    StaffImportJobsController,
    ImportUndoController,
    StaffParticipantsController,
    StaffBookingsController,
    OccurrencesController,
    RequestsController,
    StaffRaceDayController,
    PagesController,
  ],
  providers: [
    SessionService,
    IdentityProvider,
    SingleSignOnService,
    StaffService,
    KeysService,
    StaffParticipantsService,
    BookingsService,
    ImportUndoService,
    RaceDayService,
    IdempotencyKeys,
  ],
})
export class ConsoleModule {}
