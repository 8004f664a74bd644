import { IMPORT_DEFINITIONS, importOperations } from '#domain/imports';
import { sharedApi, type TestApi } from '../harness';
import { ALL_OPERATIONS, OPERATIONS } from './document';

/** Every operation of the interface, and its name. */
const NAMED = `
GET    /identity                                                    getIdentity
GET    /marketplace/v1/events/                                      listMarketplaceEvents
GET    /marketplace/v1/removed-events                               listRemovedMarketplaceEvents
GET    /marketplace/v1/events/search                                searchMarketplaceEvents
POST   /timing-inbound/v1                                           ingestTiming
GET    /timing-inbound/v1/participants                              listTimingParticipants
GET    /timing-inbound/v1/participants/export                       exportTimingParticipants
GET    /timing-inbound/v1/status                                    getTimingStatus
GET    /timing-inbound/v1/unidentified                              listUnidentifiedTiming
GET    /v0/event-occurrences                                        listEventOccurrences
GET    /v0/event-occurrences/{id}                                   getEventOccurrence
GET    /v0/event-occurrences/{id}/add-ons                           listEventOccurrenceAddOns
GET    /v0/event-occurrences/{id}/races                             listEventOccurrenceRaces
GET    /v0/event-occurrences/{id}/tickets                           listEventOccurrenceTickets
GET    /v0/event-occurrences/{id}/reserved-entries                  listEventOccurrenceReservedEntries
PUT    /v0/catalogue                                                writeCatalogue
POST   /v0/event-occurrences/{id}/registration-status               registrationStatus
GET    /v0/events/{id}/tickets                                      listEventTickets
GET    /v0/events/{id}/reserved-entries                             listEventReservedEntries
GET    /v0/events/{id}/applications                                 listEventApplications
GET    /v0/races/{id}                                               getRace
GET    /v0/races/{id}/tickets                                       listRaceTickets
GET    /v0/races/{id}/participants                                  listRaceParticipants
POST   /v0/races/{id}/bib-plan                                      planBibs
GET    /v0/participant-changes/{jobId}                              getParticipantChange
GET    /v0/tickets/{id}                                             getTicket
GET    /v0/tickets/{id}/booking-forms                               listTicketBookingForms
GET    /v0/booking-forms/{id}                                       getBookingForm
GET    /v0/booking-forms/{id}/tickets                               listBookingFormTickets
GET    /v0/booking-forms/{id}/fields                                listFieldsOfBookingForm
GET    /v0/booking-form-fields                                      listBookingFormFields
GET    /v0/booking-form-fields/{id}                                 getBookingFormField
GET    /v0/booking-form-fields/{id}/booking-forms                   listBookingFormFieldBookingForms
GET    /v0/bookings                                                 listBookings
GET    /v0/bookings/digest                                          getBookingsDigest
GET    /v0/bookings/{id}                                            getBooking
DELETE /v0/bookings/{id}                                            cancelBooking
GET    /v0/bookings/external/{externalBookingId}                    listBookingsByExternalId
GET    /v0/line-items                                               listLineItems
GET    /v0/line-items/digest                                        getLineItemsDigest
GET    /v0/bookings/{id}/line-items                                 listBookingLineItems
GET    /v0/bookings/{id}/add-on-allocations                         listBookingAddOnAllocations
GET    /v0/applications                                             listApplications
GET    /v0/applications/digest                                      getApplicationsDigest
GET    /v0/applications/{id}                                        getApplication
GET    /v0/participants                                             listParticipants
GET    /v0/participants/export                                      exportParticipants
GET    /v0/participants/digest                                      getParticipantsDigest
GET    /v0/participants/{id}                                        getParticipant
PATCH  /v0/participants/{id}                                        correctParticipant
POST   /v0/participants/{id}/move                                   moveParticipant
POST   /v0/participants/{id}/transfer                               transferParticipant
DELETE /v0/participants/{id}                                        cancelParticipant
PATCH  /v0/participants/{id}/race-day                               updateRaceDay
GET    /v0/partners                                                 listPartners
POST   /v0/partners                                                 createPartner
GET    /v0/partners/digest                                          getPartnersDigest
GET    /v0/partners/{id}                                            getPartner
PATCH  /v0/partners/{id}                                            updatePartner
GET    /v0/referral-programs                                        listReferralPrograms
GET    /v0/referral-programs/{referralProgramId}/referrers          listReferrers
GET    /v0/referral-programs/{referralProgramId}/referrers/{referralCodeOwnerBookingId}/referrals listReferrals
GET    /v0/discount-codes/{id}                                      getDiscountCode
PATCH  /v0/discount-codes/{id}                                      updateDiscountCode
GET    /v0/credits                                                  listCredits
GET    /v0/credits/{id}                                             getCredit
POST   /v0/bookings/import                                          importBookings
GET    /v0/bookings/import/{jobId}                                  getBookingsImport
POST   /v0/bookings/line-items/import                               importLineItems
PUT    /v0/bookings/import                                          correctBookings
PUT    /v0/bookings/line-items/import                               replaceLineItems
GET    /v0/bookings/line-items/import/{jobId}                       getLineItemsImport
POST   /v0/add-ons/import                                           importAddOns
PUT    /v0/add-ons/import                                           replaceAddOns
GET    /v0/add-ons/import/{jobId}                                   getAddOnsImport
POST   /v0/credits/import                                           importCredits
GET    /v0/credits/import/{jobId}                                   getCreditsImport
POST   /v0/discount-codes/import                                    importDiscountCodes
GET    /v0/discount-codes/import/{jobId}                            getDiscountCodesImport
POST   /v0/referrals/import                                         importReferrals
GET    /v0/referrals/import/{jobId}                                 getReferralsImport
POST   /v0/reserved-entries/participants/import                     importReservedEntries
GET    /v0/reserved-entries/participants/import/{jobId}             getReservedEntriesImport
GET    /v0/import-jobs                                              listImportJobs
GET    /v0/import-jobs/allowance                                    getImportAllowance
GET    /v0/import-jobs/{jobId}/rows                                 listImportRows
POST   /v0/import-jobs/{jobId}/cancel                               cancelImport
POST   /v0/import-jobs/{jobId}/retry                                retryImport
POST   /v0/import-jobs/{jobId}/apply                                applyDryRun
GET    /v0/import-jobs/{jobId}/undo                                 previewImportUndo
POST   /v0/import-jobs/{jobId}/undo                                 undoImport
POST   /console/v1/session                                          signIn
POST   /console/v1/session/redeem                                   redeemStaffLink
POST   /console/v1/session/forgotten                                mailSignInLink
GET    /console/v1/session/options                                  getSignInOptions
DELETE /console/v1/session                                          signOut
GET    /console/v1/me                                               getStaffIdentity
PUT    /console/v1/me/password                                      setPassword
GET    /console/v1/staff                                            listStaff
POST   /console/v1/staff                                            inviteStaff
PATCH  /console/v1/staff/{id}                                       changeStaffRole
POST   /console/v1/staff/{id}/reset                                 resetStaff
DELETE /console/v1/staff/{id}                                       removeStaff
GET    /console/v1/partners/{id}/members                            listPartnerMembers
POST   /console/v1/partners/{id}/members                            invitePartnerMember
GET    /console/v1/keys                                             listKeys
POST   /console/v1/keys                                             createKey
PATCH  /console/v1/keys/{id}                                        restrictKey
POST   /console/v1/keys/{id}/rotate                                 rotateKey
POST   /console/v1/keys/{id}/revoke                                 revokeKey
GET    /console/v1/import-jobs                                      listStaffImportJobs
GET    /console/v1/import-jobs/{id}                                 getStaffImportJob
GET    /console/v1/import-jobs/{id}/places                          getImportPlaces
GET    /console/v1/import-jobs/{id}/rows                            listStaffImportRows
PUT    /console/v1/catalogue                                        writeCatalogueAsStaff
GET    /console/v1/catalogue/event-occurrences/{id}                 getCatalogueOfOccurrence
POST   /console/v1/catalogue/files                                  readCatalogueFile
GET    /console/v1/file-mappings                                    listFileMappings
POST   /console/v1/file-mappings                                    saveFileMapping
GET    /console/v1/file-mappings/{id}                               getFileMapping
DELETE /console/v1/file-mappings/{id}                               deleteFileMapping
GET    /console/v1/participants                                     listStaffParticipants
GET    /console/v1/participants/{id}                                getStaffParticipant
GET    /console/v1/participants/{id}/race-day-messages              listParticipantRaceDayMessages
PATCH  /console/v1/participants/{id}/race-day                       setRaceDay
POST   /console/v1/participants                                     addParticipant
POST   /console/v1/participants/changes                             changeParticipants
POST   /console/v1/participants/export                              exportChosenParticipants
POST   /console/v1/participants/{id}/redact                         redactParticipant
POST   /console/v1/persons/export                                   exportPerson
POST   /console/v1/persons/erase                                    erasePerson
GET    /console/v1/person-jobs/{id}                                 getPersonWork
GET    /console/v1/person-jobs/{id}/file                            getPersonFile
GET    /console/v1/event-occurrences                                listStaffOccurrences
GET    /console/v1/event-occurrences/{id}                           getOccurrenceOverview
GET    /console/v1/event-occurrences/{id}/discount-codes            listOccurrenceDiscountCodes
GET    /console/v1/event-occurrences/{id}/entries-by-day            getOccurrenceEntriesByDay
GET    /console/v1/event-occurrences/{id}/referral-programs         listOccurrenceReferralPrograms
GET    /console/v1/attention                                        getAttention
GET    /console/v1/home                                             getHome
GET    /console/v1/applications                                     listStaffApplications
POST   /console/v1/applications/by-ticket                           countApplicationsByTicket
POST   /console/v1/applications/decide                              decideApplications
GET    /console/v1/ballots                                          listBallots
GET    /console/v1/ballots/{id}                                     getBallot
POST   /console/v1/ballots/{id}/draw                                drawBallot
GET    /console/v1/race-day/races                                   listRacesToPrint
GET    /console/v1/races/{id}/start-list                            getStartList
GET    /console/v1/partners                                         listStaffPartners
GET    /console/v1/reserved-entry-groups                            listStaffGroups
GET    /console/v1/reserved-entry-groups/{id}                       getStaffGroup
GET    /console/v1/reserved-entry-groups/{id}/entries               listGroupEntries
GET    /console/v1/discount-codes                                   listStaffDiscountCodes
GET    /console/v1/discount-codes/{id}                              getStaffDiscountCode
PATCH  /console/v1/discount-codes/{id}                              updateStaffDiscountCode
GET    /console/v1/discount-codes/{id}/entries                      listDiscountCodeEntries
GET    /console/v1/referral-programs/{id}/referrals                 listStaffReferrals
GET    /console/v1/races/{id}/bibs                                  getRaceBibs
GET    /console/v1/race-day/feed                                    getRaceDayFeed
GET    /console/v1/race-day/unidentified                            listUnidentifiedMessages
GET    /console/v1/requests                                         listRequests
GET    /console/v1/audit-log                                        listAuditLog
GET    /console/v1/history                                          listHistory
GET    /v0/change-events                                            listChangeEvents
GET    /v0/webhook-endpoints                                        listWebhookEndpoints
POST   /v0/webhook-endpoints                                        createWebhookEndpoint
GET    /v0/webhook-endpoints/{id}                                   getWebhookEndpoint
PATCH  /v0/webhook-endpoints/{id}                                   updateWebhookEndpoint
DELETE /v0/webhook-endpoints/{id}                                   deleteWebhookEndpoint
POST   /v0/webhook-endpoints/{id}/rotate-secret                     rotateWebhookSecret
POST   /v0/webhook-endpoints/{id}/ping                              pingWebhookEndpoint
GET    /v0/webhook-deliveries                                       listWebhookDeliveries
POST   /v0/webhook-deliveries/retry                                 retryFailedWebhookDeliveries
GET    /v0/webhook-deliveries/{id}                                  getWebhookDelivery
POST   /v0/webhook-deliveries/{id}/retry                            retryWebhookDelivery
`
  .trim()
  .split('\n')
  .map((line) => line.replace(/ +/g, ' '));

/** The operations of imports derive from their definitions. */
const DEFINED = IMPORT_DEFINITIONS.flatMap(({ surface, path, replaces }) => {
  const { create, replace, read } = importOperations(surface);
  return [
    `POST /v0/${path} ${create}`,
    ...(replaces ? [`PUT /v0/${path} ${replace}`] : []),
    `GET /v0/${path}/{jobId} ${read}`,
  ];
});

const CONTRACT = [...new Set([...NAMED, ...DEFINED])].sort();

/** Routes without a key, which are not part of the interface. */
const PUBLIC = [
  'GET /',
  'GET /changelog',
  'GET /.well-known/security.txt',
  'GET /client.tgz',
  'GET /collection.json',
  'GET /favicon.ico',
  'GET /llms.txt',
  'GET /llms-full.txt',
  'GET /startline-0.2.0-py3-none-any.whl',
  'GET /console',
  'GET /console/assets/{name}',
  'GET /console/o/{organization}',
  'GET /console/o/{organization}/*page',
  'GET /console/redeem',
  'GET /console/sign-in',
  'GET /console/sign-in/callback',
  'GET /console/sign-in/provider',
  'GET /docs',
  'GET /docs/{name}',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'GET /openapi.json',
];

const withoutName = (line: string) => line.split(' ').slice(0, 2).join(' ').replace(/\/$/, '');

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

it('documents exactly the operations of the interface, with their names', () => {
  const documented = ALL_OPERATIONS.map(({ method, path, name }) => `${method} ${path} ${name}`);
  expect(documented.sort()).toEqual(CONTRACT);
});

it('serves exactly the operations of the interface and the public routes', () => {
  const routes = routesOf(api).map((route) => route.replace('{/}', ''));
  expect(routes.sort()).toEqual([...CONTRACT, ...PUBLIC].map(withoutName).sort());
});

it('responds to every operation, at least with the status of a missing key', async () => {
  const statuses = await Promise.all(
    OPERATIONS.map(async ({ method, path, name }) => {
      const { status } = await api.send(method, path.replace(/\{\w+\}/g, 'x'), undefined, null);
      return [name, status];
    }),
  );
  expect(statuses).toEqual(OPERATIONS.map(({ name }) => [name, 401]));
});

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** What Express would pass to a controller. */
function routesOf({ app }: TestApi): string[] {
  const { stack } = app.getHttpAdapter().getInstance().router as { stack: Layer[] };
  return stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((method) => {
      const path = (route?.path ?? '').replace(/:(\w+)/g, '{$1}').replace(/\/$/, '');
      return `${method.toUpperCase()} ${path}`;
    }),
  );
}
