import type { ResourceGroup } from '#libs/http';

/** The resource groups in the order in which the reference shows them, with what a reader should know of each. */
export const GROUPS: { name: ResourceGroup; description: string }[] = [
  {
    name: 'Events',
    description:
      'An event takes place as occurrences, usually one a year. These lists are of an event as a whole.',
  },
  {
    name: 'EventOccurrences',
    description:
      'Read your organization’s occurrences, published or draft, and what hangs on each: its races, tickets and reserved entry groups. The registration check lives here too.',
  },
  {
    name: 'Races',
    description: 'A race is one start of an occurrence: a discipline, a distance, a start time.',
  },
  {
    name: 'Tickets',
    description:
      'A ticket is one way into a race. `availability` is worked out at the moment of reading, from the sale window and the places left.',
  },
  {
    name: 'BookingForms',
    description: 'A booking form is the questions that a ticket asks each participant.',
  },
  { name: 'BookingFormFields', description: 'A field is one question; several forms may share it.' },
  {
    name: 'Bookings',
    description:
      'A booking is one purchase, by one booker, for one or more participants. Bookings made elsewhere come in by import.',
  },
  {
    name: 'LineItems',
    description: 'A line item is one amount of a booking: a ticket, an add-on, a fee, a refund.',
  },
  { name: 'AddOns', description: 'Add-ons are things sold beside tickets, allocated to participants.' },
  {
    name: 'Applications',
    description:
      'Every entry on a start list begins as an application, and is listed here in whatever state it is. Once approved it is also a participant.',
  },
  {
    name: 'Participants',
    description:
      'The approved entries: those who are on the start list. To keep a copy up to date, walk `sort[updatedAt]=1` and go on from the highest `updatedAt` you saw.',
  },
  {
    name: 'Partners',
    description: 'Charities, companies and sponsors who hold places or bring participants.',
  },
  {
    name: 'ReservedEntries',
    description: 'Groups of places set aside for a partner, and the participants assigned to them.',
  },
  {
    name: 'Referrals',
    description:
      'Referrers of a referral programme, and the entries that came through their codes. Restricted.',
  },
  {
    name: 'DiscountCodes',
    description: 'Discount codes, read one by one or imported in batches. Restricted.',
  },
  { name: 'Credits', description: 'Credits held against an email address. Restricted.' },
  {
    name: 'Imports',
    description:
      'An import is accepted whole or not at all, then carried out row by row in the background. Read its job to follow it, and its rows to see what became of each.',
  },
  {
    name: 'Timing',
    description:
      'Bib numbers and shipping news from timing partners. Takes a timing key; any other is refused with 401.',
  },
  {
    name: 'Marketplace',
    description: 'The public catalogue of events, across organizations. Takes a marketplace key.',
  },
  {
    name: 'ChangeEvents',
    description:
      'What changed in your organization, as ids: read what they name to see how it is now. The same events are delivered to your webhook endpoints.',
  },
  {
    name: 'Webhooks',
    description:
      'Change events, sent to endpoints that you run, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. What is sent is under “Webhooks”; each type is a change event.',
  },
  {
    name: 'Console',
    description:
      'Internal: what the console does beyond the public API. Takes the session of a staff member who is signed in, not a key. It may change without notice.',
  },
  { name: 'Identity', description: 'What the key that you call with is, and what it may do.' },
];
