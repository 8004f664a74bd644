import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CheckingModule } from '#domain/imports';
import { AccessModule } from '#platform/access';
import { ConfigModule, type Settings } from '#platform/config';
import { DatabaseModule, databaseUrlOf } from '#platform/database';
import { HttpModule } from '#platform/http';
import { Logs, OperationsModule } from '#platform/process';
import { JobsModule } from '#platform/queues';
import { AddOnsModule } from './add-ons/add-ons.module';
import { ApplicationsModule } from './applications/applications.module';
import { BookingFormFieldsModule } from './booking-form-fields/booking-form-fields.module';
import { BookingFormsModule } from './booking-forms/booking-forms.module';
import { BookingsModule } from './bookings/bookings.module';
import { CatalogueModule } from './catalogue/catalogue.module';
import { ChangeEventsModule } from './change-events/change-events.module';
import { ConsoleModule } from './console/console.module';
import { CreditsModule } from './credits/credits.module';
import { DiscountCodesModule } from './discount-codes/discount-codes.module';
import { EventOccurrencesModule } from './event-occurrences/event-occurrences.module';
import { IdentityModule } from './identity/identity.module';
import { ImportsModule } from './imports/imports.module';
import { LineItemsModule } from './line-items/line-items.module';
import { MarketplaceModule } from './marketplace/marketplace.module';
import { ParticipantChangesModule } from './participant-changes/participant-changes.module';
import { ParticipantsModule } from './participants/participants.module';
import { PartnersModule } from './partners/partners.module';
import { RaceDayModule } from './race-day/race-day.module';
import { RacesModule } from './races/races.module';
import { ReferenceModule } from './reference/reference.module';
import { ReferralsModule } from './referrals/referrals.module';
import { RegistrationStatusModule } from './registration-status/registration-status.module';
import { ReservedEntriesModule } from './reserved-entries/reserved-entries.module';
import { TicketsModule } from './tickets/tickets.module';
import { TimingModule } from './timing/timing.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/**
 * The resource groups, one module each. Express compares a request with the routes in this order, so the groups with the most requests
 * are first.
 */
const GROUPS = [
  RegistrationStatusModule,
  ParticipantsModule,
  TimingModule,
  RaceDayModule,
  IdentityModule,
  MarketplaceModule,
  EventOccurrencesModule,
  CatalogueModule,
  RacesModule,
  TicketsModule,
  ReservedEntriesModule,
  BookingFormsModule,
  BookingFormFieldsModule,
  BookingsModule,
  LineItemsModule,
  AddOnsModule,
  ApplicationsModule,
  ParticipantChangesModule,
  PartnersModule,
  ReferralsModule,
  DiscountCodesModule,
  CreditsModule,
  ImportsModule,
  ConsoleModule,
  ChangeEventsModule,
  WebhooksModule,
];

@Module({})
export class AppModule {
  /**
   * @param groups the resource groups to serve
   * @throws SettingsError if DATABASE_URL is not set
   */
  static of(settings: Settings, logs = new Logs(settings, 'api'), groups: Type[] = GROUPS): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.forRoot({
          url: databaseUrlOf(settings),
          applicationName: 'startline api',
          poolSize: settings.API_POOL_SIZE,
          poolWaitMs: settings.POOL_WAIT_MS,
          statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
          idleTransactionMs: settings.SILENT_MS,
          share: true,
          // Lists by `updatedAt` show a change this much later.
          watermarkMs: 100,
          erasureSecret: settings.ERASURE_SECRET,
          nodeTimeoutMs: settings.NODE_TIMEOUT_MS,
          replica: replicaOf(settings),
        }),
        AccessModule,
        HttpModule.of(settings),
        CheckingModule,
        JobsModule.forProducer(),
        OperationsModule.of(logs),
        ReferenceModule,
        ...groups,
      ],
    };
  }
}

const replicaOf = (settings: Settings) =>
  settings.DATABASE_REPLICA_URL
    ? {
        url: settings.DATABASE_REPLICA_URL,
        applicationName: 'startline api lists',
        poolSize: settings.API_POOL_SIZE,
        maxLagMs: settings.DATABASE_REPLICA_MAX_LAG_MS,
      }
    : undefined;
