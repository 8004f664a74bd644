import type { ResourceGroup } from '#platform/http';

/** The resource groups in the order of the reference, with their descriptions. */
export const GROUPS: { name: ResourceGroup; description: string }[] = [
  {
    name: 'Events',
    description: 'An event has occurrences, usually one per year. These lists are for the event as a whole.',
  },
  {
    name: 'EventOccurrences',
    description:
      'Read the occurrences of your organization, published or draft, and their races, tickets and reserved entry groups. The registration check is also here.',
  },
  {
    name: 'Races',
    description: 'A race is a start of an occurrence, with a discipline, a distance and a start time.',
  },
  {
    name: 'Tickets',
    description:
      'A ticket is an entry option of a race. `availability` is computed from the sale window and the remaining places at the time of the request.',
  },
  {
    name: 'BookingForms',
    description: 'A booking form is the set of questions that a ticket asks each participant.',
  },
  { name: 'BookingFormFields', description: 'A field is a question. Several forms can share it.' },
  {
    name: 'Bookings',
    description:
      'A booking is a purchase by one booker for one or more participants. Bookings that were sold elsewhere are imported.',
  },
  {
    name: 'LineItems',
    description: 'A line item is an amount of a booking, such as a ticket, an add-on, a fee or a refund.',
  },
  {
    name: 'AddOns',
    description: 'Add-ons are products that are sold in addition to tickets and allocated to participants.',
  },
  {
    name: 'Applications',
    description:
      'Every entry on a start list begins as an application and is listed here in any state. An approved entry is also a participant.',
  },
  {
    name: 'Participants',
    description:
      'Participants are the approved entries. To keep a copy up to date, page through `sort[updatedAt]=1` and continue from the highest `updatedAt` that you received.',
  },
  {
    name: 'Partners',
    description: 'Charities, companies and sponsors that have places or recruit participants.',
  },
  {
    name: 'ReservedEntries',
    description:
      'Groups of places that are reserved for a partner, and the participants who are assigned to them.',
  },
  {
    name: 'Referrals',
    description:
      'Referrers of a referral program, and the entries that were booked with their codes. Restricted.',
  },
  {
    name: 'DiscountCodes',
    description: 'Read single discount codes, or import batches. Restricted.',
  },
  { name: 'Credits', description: 'Credits that belong to an email address. Restricted.' },
  {
    name: 'Imports',
    description:
      'An import is accepted completely or not at all, and then processed row by row in the background. Read the job for its progress and its rows for their outcomes.',
  },
  {
    name: 'Timing',
    description:
      'Bib numbers and shipping updates from timing partners. Requires a timing key; other keys are refused with 401.',
  },
  {
    name: 'Marketplace',
    description: 'The public catalogue of events of all organizations. Requires a marketplace key.',
  },
  {
    name: 'ChangeEvents',
    description:
      'Changes in your organization, as ids. To get the current state, read the objects by their ids. The same events are delivered to your webhook endpoints.',
  },
  {
    name: 'Webhooks',
    description:
      'Change events that are sent to your endpoints, signed according to [Standard Webhooks](https://www.standardwebhooks.com). The section “Webhooks” describes the requests; each type is a type of change events.',
  },
  {
    name: 'Console',
    description:
      'Internal: operations of the console that are not part of the public API. They require the session of a staff member instead of a key, and can change without notice.',
  },
  { name: 'Identity', description: 'The identity and the restrictions of your key.' },
];
