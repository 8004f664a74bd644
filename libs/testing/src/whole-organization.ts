import type { DataSource } from 'typeorm';
import { IMPORT_DEFINITIONS, SURFACES } from '#domain/imports';
import { type Surface } from '#platform/access';
import {
  ChangeEvent,
  ChangeEventFeed,
  EventOccurrence,
  newId,
  PendingRefresh,
  PersonJob,
  PersonJobRows,
  StaffMember,
  StoredFileMapping,
  Team,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from '#platform/database';
import { bookingForm, bookingFormField } from './booking-forms';
import { addOn, addOnAllocation, addOnVariant, booking, lineItem } from './bookings';
import { event, insert, occurrence, race, ticket, wave } from './catalogue';
import { credit, discountCode } from './discounts';
import { importJob } from './import-jobs';
import { organization } from './organizations';
import { partner, reservedEntryGroup } from './partners';
import { referral, referralProgram, referrer } from './referrals';

export interface WholeOrganization {
  organizationId: string;
  /** Ids for path parameters, by the preceding segment: `races`, `referral-programs`, `bookings/import` … */
  ids: Readonly<Record<string, string>>;
  addOnId: string;
  variantId: string;
  waveId: string;
  reservedEntryGroupId: string;
  email: string;
  /**
   * The mark in its discount code, referral code and ticket slug, and in the domain of its reserved entry group,
   * before `.example.com`.
   */
  mark: string;
}

/** Import paths and their surfaces. */
const IMPORT_PATHS: Record<string, Surface> = Object.fromEntries(
  IMPORT_DEFINITIONS.map(({ path, surface }) => [path, surface]),
);

/**
 * An organization with data in every list: at least one record of every kind that the API returns.
 *
 * Its occurrences are not in the marketplace.
 *
 * @param mark is part of all its free text, in lower case where that is required
 * @param organizationId adds the data to this organization
 */
export async function wholeOrganization(
  dataSource: DataSource,
  {
    mark,
    slug = mark,
    surfaces = SURFACES,
    ...given
  }: { mark: string; slug?: string; surfaces?: readonly Surface[]; organizationId?: string },
): Promise<WholeOrganization> {
  const email = `${mark}@example.com`;
  const link = `https://example.com/${mark}`;
  const price = { value: 1200, currencyCode: 'GBP' };
  const organizationId =
    given.organizationId ??
    (await organization(dataSource, { name: mark, slug, website: link, logoUrl: link, surfaces })).id;
  const of = { organizationId };
  // Later changes are announced.
  if (!given.organizationId)
    await dataSource.getRepository(ChangeEventFeed).insert({ organizationId, complete: true });
  const { id: eventId } = await event(dataSource, { ...of, title: mark, slug: mark });
  const { id: occurrenceId } = await occurrence(dataSource, {
    ...of,
    eventId,
    slug: mark,
    title: mark,
    titleByLocale: { 'fr-FR': mark },
    tags: [mark],
    content: { excerpt: mark },
    address: { city: mark, countryCode: 'GB' },
    heroUrl: link,
    logoUrl: link,
    imageUrls: [link],
  });
  const raceOf = await race(dataSource, {
    ...of,
    eventOccurrenceId: occurrenceId,
    title: mark,
    courseTitle: mark,
  });
  const { id: waveId } = await wave(dataSource, { ...of, raceId: raceOf.id, title: mark });
  const ticketOf = await ticket(dataSource, {
    ...of,
    raceId: raceOf.id,
    title: mark,
    slug: mark,
    description: mark,
  });
  const { id: fieldId } = await bookingFormField(dataSource, {
    ...of,
    key: mark,
    label: mark,
    helpText: mark,
  });
  const form = await bookingForm(dataSource, {
    ...of,
    title: mark,
    fieldIds: [fieldId],
    ticketIds: [ticketOf.id],
  });
  const { id: teamId } = await insert(dataSource, Team, {
    ...of,
    eventOccurrenceId: occurrenceId,
    name: mark,
  });
  const partnerOf = await partner(dataSource, {
    ...of,
    name: mark,
    description: mark,
    contacts: [{ firstName: mark, lastName: mark, email, role: mark }],
    defaultMarketing: { optInText: mark, url: link },
    specificMarketings: [{ eventId, optInText: mark }],
    externalIds: { ENTHUSE: mark },
  });
  const group = await reservedEntryGroup(dataSource, {
    ...of,
    ticketId: ticketOf.id,
    partnerId: partnerOf.id,
    name: mark,
    description: mark,
    code: mark,
    url: link,
    domainRestriction: `${mark}.example.com`,
  });
  const code = await discountCode(dataSource, {
    ...of,
    code: mark,
    groupName: mark,
    partnerId: partnerOf.id,
    eventOccurrenceIds: [occurrenceId],
    ticketIds: [ticketOf.id],
  });
  const bookingOf = await booking(dataSource, {
    ...of,
    ticketId: ticketOf.id,
    externalBookingId: mark,
    bookerFirstName: mark,
    bookerLastName: mark,
    bookerEmail: email,
    bookerPhone: mark,
    bookerType: 'PARTNER',
    partnerId: partnerOf.id,
    discountCodeId: code.id,
    discountUses: 1,
    referralCodes: [mark],
    tracking: { source: mark },
    metadata: { shop: mark },
    entries: [
      {
        waveId,
        teamId,
        teamRoles: [mark],
        emailNormalized: email,
        fields: [{ id: fieldId, key: mark, label: mark, type: 'TEXT', value: mark }],
        tags: [mark],
        applicationNotes: mark,
        participantNotes: [mark],
        ballotDraw: mark,
        partnerId: partnerOf.id,
        reservedEntryGroupId: group.id,
        partnerMarketingOptIns: [{ partnerId: partnerOf.id, optedIn: true }],
        statusDetails: [{ status: 'APPROVED', at: '2026-01-01T00:00:00.000000Z', reason: mark }],
        resultUrl: link,
        resultSubmittedAt: new Date(),
        bibNumber: mark,
        bibClaim: mark,
        shippingStatus: 'SHIPPED',
        shippedAt: new Date(),
        shippingCarrier: mark,
        trackingNumber: mark,
        trackingUrl: link,
        raceDayFields: [{ id: mark, value: mark }],
        externalParticipantId: mark,
        externalAssignmentId: mark,
        metadata: { shop: mark },
      } as never,
    ],
  });
  const [entry] = bookingOf.entries;
  await lineItem(dataSource, {
    ...of,
    bookingId: bookingOf.id,
    participantId: entry?.participantId,
    name: mark,
    itemId: mark,
    itemSelectionId: mark,
    externalLineItemId: mark,
  });
  const { id: addOnId } = await addOn(dataSource, { ...of, eventId, title: mark });
  const { id: variantId } = await addOnVariant(dataSource, { ...of, addOnId, title: mark });
  await addOnAllocation(dataSource, { of: bookingOf, addOnId, variantId, externalAllocationId: mark });
  const endpointId = newId();
  const deliveryId = newId();
  await dataSource.getRepository(WebhookEndpoint).insert({
    ...of,
    id: endpointId,
    url: `https://${mark}.example.com/`,
    description: mark,
    types: ['partner.created'],
    secret: mark,
  });
  const { id: changeEventId, type } = await dataSource
    .getRepository(ChangeEvent)
    .findOneByOrFail({ ...of, type: 'partner.created' });
  await dataSource
    .getRepository(WebhookDelivery)
    .insert({ ...of, id: deliveryId, endpointId, eventId: changeEventId, type, state: 'FAILED' });
  await dataSource.getRepository(WebhookAttempt).insert({
    ...of,
    deliveryId,
    id: newId(),
    attemptedAt: new Date(),
    durationMs: 10,
    status: 500,
    response: mark,
  });
  const program = await referralProgram(dataSource, {
    ...of,
    title: mark,
    // Prevents the worker from creating codes for its bookings.
    codesComplete: true,
    eventId,
    eventOccurrenceId: occurrenceId,
  });
  const referrerOf = await referrer(dataSource, {
    ...of,
    referralProgramId: program.id,
    generatedReferralCode: mark,
    inviteUrl: link,
  });
  await referral(dataSource, { ...of, referrerId: referrerOf.id, of: bookingOf });
  const owed = await credit(dataSource, {
    ...of,
    email,
    emailNormalized: email,
    externalCreditId: mark,
    reason: mark,
    amountValue: String(price.value),
  });
  await dataSource.getRepository(EventOccurrence).update(of, { discoverable: false });
  // Nor were they ever.
  await dataSource.query(
    'UPDATE event_occurrences SET removed_start_date = NULL WHERE organization_id = $1',
    [organizationId],
  );
  const memberId = newId();
  await dataSource
    .getRepository(StaffMember)
    .insert({ ...of, id: memberId, email, emailNormalized: email, role: 'OWNER' });
  const personJobId = newId();
  await dataSource.getRepository(PersonJob).insert({
    ...{
      organizationId,
      id: personJobId,
      kind: 'EXPORT',
      email: `nobody@${mark}.example.com`,
      dryRun: false,
    },
    ...{ status: 'COMPLETED', actor: {}, finishedAt: new Date() },
  });
  await dataSource.getRepository(PersonJobRows).insert({
    ...{ organizationId, jobId: personJobId, place: 0, tableName: 'bookings', keys: [] },
  });
  await dataSource.getRepository(StoredFileMapping).insert({
    ...{ ...of, id: newId(), surface: 'bookingsImport', name: mark, fingerprint: mark, memberId },
    mapping: { columns: { [mark]: null } },
  });
  await fillTheRest(dataSource, organizationId, mark);
  // Its entries show their shared records already, and workers leave them as they are.
  await dataSource.getRepository(PendingRefresh).delete(of);
  const jobs: Record<string, string> = {};
  for (const [path, surface] of Object.entries(IMPORT_PATHS)) {
    jobs[path] = (await importJob(dataSource, { ...of, surface, externalId: mark })).id;
  }
  const change = { ...of, surface: 'bookingsImport', mode: 'CHANGE', externalId: mark } as const;
  jobs['import-jobs'] = jobs['reserved-entries/participants/import'] as string;
  jobs['participant-changes'] = (await importJob(dataSource, change)).id;
  return {
    organizationId,
    ids: {
      events: eventId,
      'event-occurrences': occurrenceId,
      races: raceOf.id,
      tickets: ticketOf.id,
      'booking-forms': form.id,
      'booking-form-fields': fieldId,
      bookings: bookingOf.id,
      'bookings/external': mark,
      applications: entry?.id as string,
      participants: entry?.participantId as string,
      partners: partnerOf.id,
      'referral-programs': program.id,
      referrers: referrerOf.ownerBookingIds[0] as string,
      'discount-codes': code.id,
      credits: owed.id,
      'webhook-endpoints': endpointId,
      'webhook-deliveries': deliveryId,
      ...jobs,
    },
    addOnId,
    variantId,
    waveId,
    reservedEntryGroupId: group.id,
    email,
    mark,
  };
}

/** Tables with rows of requests, which the organization does not need. */
const OF_REQUESTS = ['api_keys', 'audit_log', 'idempotency_keys', 'race_day_log'];

/**
 * Inserts one row into each table that is still empty, so that the tests about other organizations' data cover new
 * tables. A table that needs more than ids and texts gets its row above.
 */
async function fillTheRest(dataSource: DataSource, organizationId: string, mark: string): Promise<void> {
  const tables: { name: string; columns: { name: string; type: string }[] }[] = await dataSource.query(
    `SELECT table_name AS name, json_agg(json_build_object('name', column_name, 'type', data_type)) AS columns
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_nullable = 'NO' AND column_default IS NULL
       AND is_identity = 'NO' AND table_name <> ALL ($1)
     GROUP BY table_name HAVING bool_or(column_name = 'organization_id') AND bool_and(data_type IN ('uuid', 'text'))`,
    [OF_REQUESTS],
  );
  for (const { name, columns } of tables) {
    const [found] = await dataSource.query(`SELECT 1 FROM ${name} WHERE organization_id = $1 LIMIT 1`, [
      organizationId,
    ]);
    if (found) continue;
    const values = columns.map((column) =>
      column.name === 'organization_id' ? organizationId : column.type === 'uuid' ? newId() : mark,
    );
    await dataSource.query(
      `INSERT INTO ${name} (${columns.map((column) => column.name)}) VALUES (${values.map((_, i) => `$${i + 1}`)})`,
      values,
    );
  }
}
