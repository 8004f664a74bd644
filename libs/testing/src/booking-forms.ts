import type { DataSource } from 'typeorm';
import { BookingForm, BookingFormEntry, BookingFormField, TicketBookingForm } from '#platform/database';
import { type Given, insert } from './catalogue';
import { next } from './organizations';

export const bookingFormField = (dataSource: DataSource, given: Given<BookingFormField>) => {
  const n = next();
  return insert(dataSource, BookingFormField, {
    key: `field${n}`,
    label: `Field ${n}`,
    type: 'TEXT',
    ...given,
  });
};

/** A form with the fields in that order, for the tickets. */
export async function bookingForm(
  dataSource: DataSource,
  {
    fieldIds = [],
    ticketIds = [],
    ...given
  }: Given<BookingForm> & { fieldIds?: string[]; ticketIds?: string[] },
): Promise<BookingForm> {
  const { organizationId } = given;
  const form = await insert<BookingForm>(dataSource, BookingForm, { title: `Form ${next()}`, ...given });
  const entries = fieldIds.map((fieldId, position) => ({
    organizationId,
    bookingFormId: form.id,
    fieldId,
    position,
  }));
  await dataSource.getRepository(BookingFormEntry).insert(entries);
  const uses = ticketIds.map((ticketId) => ({ organizationId, bookingFormId: form.id, ticketId }));
  await dataSource.getRepository(TicketBookingForm).insert(uses);
  return form;
}
