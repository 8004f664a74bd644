import type { Typed } from './event-form';

/** What is typed in the test of a new event, and what the API must tell of it. */

interface TypedQuestion {
  values: Typed;
  options?: Typed[];
}

export const QUESTIONS: TypedQuestion[] = [
  { values: { Question: 'Running club', 'Kind of answer': 'Text', Help: 'Leave it empty without one.' } },
  { values: { Question: 'Second email', 'Kind of answer': 'Email address' } },
  {
    values: { Question: 'Emergency phone', 'Kind of answer': 'Phone number', 'Has to be answered': true },
  },
  { values: { Question: 'Last medical check', 'Kind of answer': 'Date' } },
  { values: { Question: 'Expected minutes', 'Kind of answer': 'Number' } },
  {
    values: {
      Question: 'T-shirt size',
      'Kind of answer': 'One of several options',
      'Has to be answered': true,
    },
    options: [
      { Text: 'Small', Value: 'S' },
      { Text: 'Medium', Value: 'M' },
      { Text: 'Large', Value: 'L' },
    ],
  },
  {
    values: { Question: 'Breakfast', 'Kind of answer': 'Some of several options' },
    options: [{ Text: 'Porridge' }, { Text: 'Eggs' }],
  },
  { values: { Question: 'First marathon', 'Kind of answer': 'Yes or no' } },
  { values: { Question: 'Nationality', 'Kind of answer': 'Country', Key: 'passport' } },
  {
    values: {
      Question: 'I accept the rules',
      'Kind of answer': 'Agreement to a waiver',
      'Has to be answered': true,
    },
  },
];

export const FORM: Typed = {
  Title: 'Runner',
  'Questions, in order': [
    'Emergency phone',
    'Running club',
    'Second email',
    'Last medical check',
    'Expected minutes',
    'T-shirt size',
    'Breakfast',
    'First marathon',
    'Nationality',
    'I accept the rules',
  ],
};

export const RACES: { values: Typed; waves: Typed[]; tickets: Typed[] }[] = [
  {
    values: {
      Title: 'Marathon',
      Discipline: 'Running',
      Distance: '42.195',
      Unit: 'Kilometres',
      'Date of the race': '2031-05-04',
      'Start time': '09:30',
      Places: '5000',
      'Course name': 'Harbour loop',
    },
    waves: [
      { Title: 'A', Start: '2031-05-04T09:30', Places: '500' },
      { Title: 'B', Start: '2031-05-04T09:45' },
    ],
    tickets: [
      {
        Title: 'Early bird',
        Price: '45.00',
        'Currency of Price': 'GBP',
        Places: '300',
        'On sale from': '2030-11-01T10:00',
        'On sale until': '2031-03-31T23:59',
        Forms: ['Runner'],
      },
      {
        Title: 'Standard',
        Price: '59,90',
        Description: 'Includes a medal.',
        Forms: ['Runner'],
        'Asks for a donation': true,
      },
      { Title: 'Ballot', Price: '49', Approval: 'By ballot', Places: '1000', Key: 'ballot' },
    ],
  },
  {
    values: {
      Title: 'Half marathon',
      Discipline: 'Running',
      Distance: '21.0975',
      Unit: 'Kilometres',
      'Date of the race': '2031-05-04',
      'Start time': '11:00',
      Places: '3000',
    },
    waves: [{ Title: 'Everybody', Start: '2031-05-04T11:00', Places: '3000' }],
    tickets: [
      { Title: 'Adult', Price: '35.5', Forms: ['Runner'] },
      { Title: 'Relay', Price: '60', 'Entries on one ticket': '2' },
      { Title: 'Guest of the city', Price: '0.05', Approval: 'One by one, by staff' },
    ],
  },
  {
    values: {
      Title: 'Fun run',
      Discipline: 'Other',
      Distance: '3',
      Unit: 'Miles',
      'Date of the race': '2031-05-03',
    },
    waves: [],
    tickets: [
      { Title: 'Child', 'Currency of Price': 'Free', Places: '200' },
      { Title: 'Family', Price: '1,234.5', 'Currency of Price': 'GBP' },
    ],
  },
];

export const GROUPS: { values: Typed; tickets: Typed[] }[] = [
  {
    values: {
      Name: 'Lifeboat runners',
      Code: 'LIFEBOAT31',
      Places: '100',
      Partner: 'Lifeboat Appeal',
      Deadline: '2031-04-01T12:00',
      Link: 'https://lifeboat.example/run',
      'Where its places come from': 'In addition to the places of the tickets',
      Description: 'Places of the appeal.',
      'The partner can cancel entries': true,
      'A cancelled place can be used again': true,
    },
    tickets: [
      { Ticket: 'Early bird (marathon-early-bird)', Places: '60', Discount: 'Percentage', Percent: '12.5' },
      { Ticket: 'Adult (half-marathon-adult)', 'Can be used from': '2031-01-01T00:00' },
    ],
  },
  {
    values: {
      Name: 'Shipyard staff',
      Code: 'YARD',
      Places: '25',
      Use: 'One place at a time for an email',
      'Only for addresses at': 'yard.example',
    },
    tickets: [{ Ticket: 'Standard (marathon-standard)', Discount: 'Amount', Amount: '10.00' }],
  },
];

/** What the API must tell then, as a catalogue file has it. */
const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const yes = { required: true };
const question = (key: string, label: string, type: string, more = {}) => ({
  ...{ record: 'bookingFormField', key, label, type },
  ...more,
});

export const OCCURRENCE = {
  record: 'occurrence',
  event: 'harbour-run',
  slug: 'harbour-run-2031',
  title: 'Harbour Run 2031',
  titleByLocale: { 'de-DE': 'Hafenlauf 2031' },
  tags: ['road', 'flat'],
  content: {
    excerpt: '<p>Along the <em>harbour</em>.</p>',
    courseDetails: '<ul><li>Flat</li></ul>',
    racedayLogistics: '<p>Bag drop from 7:00.</p>',
    travel: '<p>By train.</p>',
    spectators: '<p>At the bridge.</p>',
  },
  startDate: '2031-05-04',
  timeZone: 'Europe/London',
  location: {
    coordinates: { latitude: 51.4492, longitude: -2.5979 },
    address: {
      city: 'Bristol',
      formatted: '1 Quay Street, Bristol BS1 4QA',
      countryCode: 'GB',
      countryName: 'United Kingdom',
      addressLine1: '1 Quay Street',
      addressLine2: 'Pier 4',
      countyLine: 'Avon',
      postCode: 'BS1 4QA',
    },
  },
  images: {
    hero: 'https://images.example/harbour.jpg',
    logo: 'https://images.example/logo.png',
    all: ['https://images.example/a.jpg', 'https://images.example/b.jpg'],
  },
  races: [
    {
      title: 'Marathon',
      discipline: 'RUNNING',
      distance: { value: 42.195, unit: 'KM' },
      startDate: '2031-05-04',
      startTime: '09:30:00',
      maxCapacity: 5_000,
      course: { title: 'Harbour loop' },
      waves: [
        { title: 'A', startDateTime: '2031-05-04T08:30:00Z', capacity: 500 },
        { title: 'B', startDateTime: '2031-05-04T08:45:00Z' },
      ],
      tickets: [
        {
          ticketSlug: 'marathon-early-bird',
          title: 'Early bird',
          price: gbp(4_500),
          saleStart: '2030-11-01T10:00:00Z',
          saleEnd: '2031-03-31T22:59:00Z',
          maxCapacity: 300,
          bookingForms: ['Runner'],
        },
        {
          ticketSlug: 'marathon-standard',
          title: 'Standard',
          description: 'Includes a medal.',
          price: gbp(5_990),
          asksDonation: true,
          bookingForms: ['Runner'],
        },
        {
          ticketSlug: 'ballot',
          title: 'Ballot',
          price: gbp(4_900),
          maxCapacity: 1_000,
          approval: 'BALLOT',
        },
      ],
    },
    {
      title: 'Half marathon',
      discipline: 'RUNNING',
      distance: { value: 21.0975, unit: 'KM' },
      startDate: '2031-05-04',
      startTime: '11:00:00',
      maxCapacity: 3_000,
      waves: [{ title: 'Everybody', startDateTime: '2031-05-04T10:00:00Z', capacity: 3_000 }],
      tickets: [
        {
          ticketSlug: 'half-marathon-adult',
          title: 'Adult',
          price: gbp(3_550),
          bookingForms: ['Runner'],
        },
        { ticketSlug: 'half-marathon-relay', title: 'Relay', price: gbp(6_000), competitorSize: 2 },
        {
          ticketSlug: 'half-marathon-guest-of-the-city',
          title: 'Guest of the city',
          price: gbp(5),
          approval: 'MANUAL',
        },
      ],
    },
    {
      title: 'Fun run',
      discipline: 'OTHER',
      distance: { value: 3, unit: 'MI' },
      startDate: '2031-05-03',
      tickets: [
        {
          ticketSlug: 'fun-run-child',
          title: 'Child',
          price: { value: 0, currencyCode: 'ZERO' },
          maxCapacity: 200,
        },
        { ticketSlug: 'fun-run-family', title: 'Family', price: gbp(123_450) },
      ],
    },
  ],
  addOns: [
    {
      title: 'Finisher shirt',
      price: gbp(1_850),
      variants: [{ title: 'Small' }, { title: 'Large' }],
    },
    { title: 'Training plan', price: { value: 0, currencyCode: 'ZERO' } },
  ],
  referralPrograms: [{ title: 'Bring a friend' }],
  reservedEntryGroups: [
    {
      code: 'LIFEBOAT31',
      name: 'Lifeboat runners',
      description: 'Places of the appeal.',
      url: 'https://lifeboat.example/run',
      maxCapacity: 100,
      partner: 'Lifeboat Appeal',
      settings: {
        canPartnerCancel: true,
        reserveCapacity: 'IGNORE_CAPACITY',
        reallocateOnCancel: true,
        deadline: '2031-04-01T11:00:00Z',
      },
      tickets: [
        {
          ticketSlug: 'marathon-early-bird',
          maxCapacity: 60,
          discount: { type: 'PERCENTAGE', amount: 12.5, isAppliedToBookingFee: false },
        },
        { ticketSlug: 'half-marathon-adult', startDateTime: '2031-01-01T00:00:00Z' },
      ],
    },
    {
      code: 'YARD',
      name: 'Shipyard staff',
      type: 'SINGLE_USE',
      maxCapacity: 25,
      settings: { domainRestriction: 'yard.example' },
      tickets: [{ ticketSlug: 'marathon-standard', discount: { type: 'FLAT_RATE', price: gbp(1_000) } }],
    },
  ],
};

export const FIELDS = [
  question('runningClub', 'Running club', 'TEXT', { helpText: 'Leave it empty without one.' }),
  question('secondEmail', 'Second email', 'EMAIL'),
  question('emergencyPhone', 'Emergency phone', 'PHONE', yes),
  question('lastMedicalCheck', 'Last medical check', 'DATE'),
  question('expectedMinutes', 'Expected minutes', 'NUMBER'),
  question('tShirtSize', 'T-shirt size', 'SELECT', {
    ...yes,
    options: [
      { value: 'S', label: 'Small' },
      { value: 'M', label: 'Medium' },
      { value: 'L', label: 'Large' },
    ],
  }),
  question('breakfast', 'Breakfast', 'MULTI_SELECT', {
    options: [
      { value: 'Porridge', label: 'Porridge' },
      { value: 'Eggs', label: 'Eggs' },
    ],
  }),
  question('firstMarathon', 'First marathon', 'BOOLEAN'),
  question('passport', 'Nationality', 'COUNTRY'),
  question('iAcceptTheRules', 'I accept the rules', 'WAIVER', yes),
];

export const RECORDS = [
  ...FIELDS,
  {
    record: 'bookingForm',
    title: 'Runner',
    fields: [
      ...['emergencyPhone', 'runningClub', 'secondEmail', 'lastMedicalCheck', 'expectedMinutes'],
      ...['tShirtSize', 'breakfast', 'firstMarathon', 'passport', 'iAcceptTheRules'],
    ],
  },
  {
    record: 'event',
    slug: 'harbour-run',
    title: 'Harbour Run',
    addOns: [{ title: 'Parking', price: gbp(700) }],
  },
  OCCURRENCE,
];

export const TYPED_CODES: Typed[] = [
  {
    Code: 'EARLY10',
    Percent: '10',
    'Most uses': '50',
    From: '2030-11-01T00:00',
    Until: '2031-04-30T23:59',
    Tickets: ['Marathon: Early bird'],
    'Internal name': 'Spring',
  },
  {
    Code: 'crew5',
    Discount: 'Amount',
    Amount: '5',
    Applies: 'To each entry',
    'Most entries of a booking': '4',
    Partner: 'Lifeboat Appeal',
  },
];

export const CODES = [
  {
    code: 'EARLY10',
    discount: { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false },
    appliesPer: 'TRANSACTION',
    limitUsage: 50,
    limitUsagePerTransaction: null,
    usageCount: 0,
    group: 'Spring',
    partnerId: null,
    startDateTime: '2030-11-01T00:00:00Z',
    endDateTime: '2031-04-30T22:59:00Z',
  },
  {
    code: 'crew5',
    discount: { type: 'FLAT_RATE', price: gbp(500) },
    appliesPer: 'ENTRY',
    limitUsage: null,
    limitUsagePerTransaction: 4,
    group: null,
    partnerId: expect.any(String),
    startDateTime: null,
    endDateTime: null,
  },
];
