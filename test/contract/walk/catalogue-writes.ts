import type { Organization } from './organization';

/** A part of the catalogue: tried, written, and changed. */
export async function catalogueWrites(walk: Organization): Promise<void> {
  const records = (title: string, description?: string) => [
    { record: 'bookingFormField', key: 'written', label: 'Written', type: 'TEXT' },
    { record: 'bookingForm', title: 'Written', fields: ['written'] },
    { record: 'event', slug: 'written', title },
    { record: 'partner', name: 'Written partner', description },
    {
      record: 'occurrence',
      event: 'written',
      slug: 'written-2090',
      title: 'Written',
      timeZone: 'Europe/London',
      startDate: '2090-01-01',
      published: Boolean(description),
      races: [{ title: '10K' }],
    },
  ];
  const put = (more: object) => walk.ask('PUT', '/v0/catalogue', more);
  await put({ records: records('Written', 'Of the walk'), dryRun: true });
  await put({ records: records('Written', 'Of the walk') });
  await put({ records: records('Rewritten') });
}
