import { Module } from '@nestjs/common';
import { BatchChecker, ImportMetrics, ImportSubmission } from '#libs/imports';
import { importController } from './import-controllers';
import { ImportJobsController } from './import-jobs.controller';

const CONTROLLERS = [
  importController({
    surface: 'bookingsImport',
    what: 'bookings',
    create: 'importBookings',
    read: 'getBookingsImport',
    rows: 'listBookingsImportRows',
    description:
      'Bookings of a sale made elsewhere. They pass ticket and race capacity, sale dates and required answers, ' +
      'but count in them, and their entries are approved. Each participant gets one `TICKET` line item.',
  }),
  importController({
    surface: 'lineItemsImport',
    what: 'line items',
    create: 'importLineItems',
    replace: 'replaceLineItems',
    read: 'getLineItemsImport',
    rows: 'listLineItemsImportRows',
    description: "Amounts of bookings. The booking's total is the sum of its line items.",
  }),
  importController({
    surface: 'addOnsImport',
    what: 'add-ons',
    create: 'importAddOns',
    replace: 'replaceAddOns',
    read: 'getAddOnsImport',
    rows: 'listAddOnsImportRows',
    description: "Participants' add-ons, each with an `ADD_ON` line item of quantity times unit price.",
  }),
  importController({
    surface: 'creditsImport',
    what: 'credits',
    create: 'importCredits',
    read: 'getCreditsImport',
    rows: 'listCreditsImportRows',
    description: 'Money that people may spend at your events.',
  }),
  importController({
    surface: 'discountCodesImport',
    what: 'discount codes',
    create: 'importDiscountCodes',
    read: 'getDiscountCodesImport',
    rows: 'listDiscountCodesImportRows',
    description:
      'With `appliesPer` `ENTRY` each entry is discounted and limits count entries; with `TRANSACTION` the basket ' +
      'is discounted once and limits count bookings. `limitUsagePerTransaction` needs `ENTRY`.',
  }),
  importController({
    surface: 'referralsImport',
    what: 'referrals',
    create: 'importReferrals',
    read: 'getReferralsImport',
    rows: 'listReferralsImportRows',
    description: "Bookings that came through a referrer's code.",
  }),
  importController({
    surface: 'reservedEntriesImport',
    what: 'reserved entries',
    create: 'importReservedEntries',
    read: 'getReservedEntriesImport',
    rows: 'listReservedEntriesImportRows',
    description:
      'Gives places of reserved entry groups to people. A blank or unknown identifier fails its row alone, as ' +
      '`INVALID_ASSIGNMENT`; a full group as `NO_CAPACITY_REMAINING`.',
  }),
];

@Module({
  controllers: [...CONTROLLERS, ImportJobsController],
  providers: [ImportSubmission, BatchChecker, ImportMetrics],
})
export class ImportsModule {}
