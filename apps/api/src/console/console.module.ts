import { Module } from '@nestjs/common';
import { BookingsDomainModule } from '#domain/bookings';
import { CatalogueDomainModule } from '#domain/catalogue';
import { DiscountsDomainModule } from '#domain/discounts';
import { ParticipantsDomainModule } from '#domain/participants';
import { RaceDayDomainModule } from '#domain/race-day';
import { ApplicationsController } from './applications/applications.controller';
import { AuditController } from './audit/audit.controller';
import { StaffCatalogueController } from './catalogue/catalogue.controller';
import { HomeController } from './home/home.controller';
import { FileMappingsController } from './imports/file-mappings.controller';
import { StaffImportJobsController } from './imports/import-jobs.controller';
import { KeysController } from './keys/keys.controller';
import { KeysService } from './keys/keys.service';
import { OccurrencesController } from './occurrences/occurrences.controller';
import { PagesController } from './pages/pages.controller';
import { StaffParticipantChangesController } from './participants/participant-changes.controller';
import { ParticipantChangesService } from './participants/participant-changes.service';
import { StaffParticipantsController } from './participants/participants.controller';
import { CodesController } from './partners/codes.controller';
import { StaffPartnersController } from './partners/partners.controller';
import { StaffGroupsController } from './partners/reserved-entry-groups.controller';
import { PersonsController } from './persons/persons.controller';
import { RaceBibsController } from './race-day/race-bibs.controller';
import { StaffRaceDayController } from './race-day/race-day.controller';
import { RequestsController } from './requests/requests.controller';
import { IdentityProvider } from './session/identity-provider';
import { Mailer } from './session/mailer';
import { SessionController } from './session/session.controller';
import { SessionService } from './session/session.service';
import { SingleSignOnController } from './session/single-sign-on.controller';
import { SingleSignOnService } from './session/single-sign-on.service';
import { PartnerMembersController } from './staff/partner-members.controller';
import { StaffController } from './staff/staff.controller';
import { StaffService } from './staff/staff.service';

/** The console's pages, and its operations beyond the public API. */
@Module({
  imports: [
    CatalogueDomainModule,
    BookingsDomainModule,
    DiscountsDomainModule,
    ParticipantsDomainModule,
    RaceDayDomainModule,
  ],
  controllers: [
    SessionController,
    SingleSignOnController,
    StaffController,
    PartnerMembersController,
    KeysController,
    AuditController,
    StaffImportJobsController,
    FileMappingsController,
    StaffParticipantsController,
    StaffParticipantChangesController,
    PersonsController,
    OccurrencesController,
    StaffCatalogueController,
    HomeController,
    ApplicationsController,
    StaffPartnersController,
    StaffGroupsController,
    CodesController,
    RequestsController,
    RaceBibsController,
    StaffRaceDayController,
    PagesController,
  ],
  providers: [
    SessionService,
    Mailer,
    IdentityProvider,
    SingleSignOnService,
    StaffService,
    KeysService,
    ParticipantChangesService,
  ],
})
export class ConsoleModule {}
