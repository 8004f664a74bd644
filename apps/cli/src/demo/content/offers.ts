import type { DemoAddOn, DemoCode, DemoGroup, DemoPartner } from './shapes';

export const partners: DemoPartner[] = [
  {
    key: 'lifeboats',
    name: 'Harbour Lifeboats',
    description: 'Volunteer crews on the Severn Estuary.',
    type: 'CHARITY',
    externalIds: { JUSTGIVING: 'harbour-lifeboats', ENTHUSE: 'c-20417' },
    contacts: [
      {
        firstName: 'Maeve',
        lastName: 'O’Donnell',
        email: 'maeve@harbour-lifeboats.example',
        phone: '+44 117 496 0111',
        role: 'Events',
      },
      { firstName: 'Tom', lastName: 'Ashworth', email: 'tom@harbour-lifeboats.example' },
    ],
    defaultMarketing: {
      optInText: 'Harbour Lifeboats may email me about fundraising.',
      url: 'https://harbour-lifeboats.example',
      logoUrl: 'https://images.startline.example/partners/harbour-lifeboats.png',
    },
    marketing: { 'harbour-city-marathon': 'Run for the crews: may we send you a fundraising pack?' },
    canCreateSubPartners: true,
  },
  {
    key: 'trees',
    name: 'Ten Thousand Trees',
    description: 'Plants native woodland with volunteers.',
    type: 'CHARITY',
    externalIds: { JUSTGIVING: 'ten-thousand-trees', RAISELY: 'tenthousandtrees' },
    contacts: [
      { firstName: 'Isla', lastName: 'Fraser', email: 'isla@tenthousandtrees.example', role: 'Partnerships' },
    ],
    defaultMarketing: { optInText: 'Tell me when my tree is planted.' },
    marketing: {
      'harbour-city-marathon': 'A tree for every finisher.',
      'wicklow-skyline': 'A rowan for every finisher.',
    },
  },
  {
    key: 'pratham-books',
    name: 'Kitaab Library Trust',
    description: 'Reading rooms in Maharashtra’s schools.',
    type: 'CHARITY',
    externalIds: { GIVENGAIN: '88231' },
    contacts: [
      {
        firstName: 'Ananya',
        lastName: 'Kulkarni',
        email: 'ananya@kitaab.example',
        phone: '+91 22 5550 0198',
      },
    ],
    defaultMarketing: { optInText: 'Kitaab may write to me.', url: 'https://kitaab.example' },
  },
  {
    key: 'northwind',
    name: 'Northwind Traders',
    type: 'CORPORATE',
    externalIds: { SALESFORCE: '0015f00002NwT4rAAF' },
    contacts: [
      { firstName: 'Priya', lastName: 'Nair', email: 'wellbeing@northwind.example', role: 'Staff wellbeing' },
    ],
  },
  {
    key: 'velocity',
    name: 'Velocity Bank',
    description: 'Title sponsor of the Costa Blanca Gravel.',
    type: 'SPONSOR',
    externalIds: { SALESFORCE: '0015f00002VlC1tAAF', RUNSIGNUP: '553120' },
    contacts: [
      {
        firstName: 'Jordi',
        lastName: 'Vidal',
        email: 'patrocinio@velocitybank.example',
        phone: '+34 965 550 120',
      },
    ],
    defaultMarketing: { optInText: 'Velocity Bank may send me offers.', url: 'https://velocitybank.example' },
    marketing: { 'costa-blanca-gravel': 'Quiero recibir ofertas de Velocity Bank.' },
  },
  {
    key: 'friends',
    name: 'Friends of the Harbour',
    type: 'FRIENDS_AND_FAMILY',
    contacts: [{ firstName: 'Gwen', lastName: 'Pritchard', email: 'gwen@harbourfriends.example' }],
  },
  {
    key: 'finisher-shirts',
    name: 'Finisher Shirts Co.',
    type: 'MERCH_PARTNER',
    externalIds: { RACE_ROSTER: 'fs-co' },
    contacts: [
      { firstName: 'Lars', lastName: 'Holm', email: 'orders@finishershirts.example', role: 'Orders' },
    ],
  },
  {
    key: 'hospice',
    name: '1st Avon Children’s Hospice',
    type: 'CHARITY',
    externalIds: { FUNRAISIN: 'avon-hospice' },
    contacts: [{ firstName: 'Nadia', lastName: 'Rahman', email: 'nadia@avonhospice.example' }],
  },
];

const gbp = (value: number) => ({ type: 'FLAT_RATE' as const, price: { value, currencyCode: 'GBP' } });
const percent = (amount: number, isAppliedToBookingFee = false) => ({
  type: 'PERCENTAGE' as const,
  amount,
  isAppliedToBookingFee,
});

export const groups: DemoGroup[] = [
  {
    key: 'lifeboat-places',
    partner: 'lifeboats',
    occurrence: 'harbour',
    name: 'Lifeboat places',
    description: 'Places for fundraisers, with room left and no address restriction.',
    code: 'LIFEBOAT',
    room: 5_000,
    canPartnerCancel: true,
    reallocateOnCancel: true,
    tickets: [
      { slug: 'marathon', discount: gbp(2000) },
      { slug: 'half-club', room: 50, discount: percent(25, true), opensInDays: -90 },
    ],
  },
  {
    key: 'tree-places',
    partner: 'trees',
    occurrence: 'harbour',
    name: 'Tree planters',
    description: 'Full.',
    code: 'TREES',
    room: 0,
    tickets: [{ slug: 'marathon', discount: percent(50) }],
  },
  {
    key: 'friends-places',
    partner: 'friends',
    occurrence: 'harbour',
    name: 'Friends and family',
    description: 'Beside the race’s capacity: these places never sell out the half marathon.',
    code: 'HARBOURFRIENDS',
    room: 200,
    ignoresCapacity: true,
    tickets: [{ slug: 'half', room: 60 }, { slug: 'marathon' }],
  },
  {
    key: 'northwind-places',
    partner: 'northwind',
    occurrence: 'northwind',
    name: 'Northwind staff',
    description: 'Addresses at northwind.example only.',
    code: 'NORTHWIND',
    room: 120,
    reallocateOnCancel: true,
    domainRestriction: 'northwind.example',
    tickets: [{ slug: 'staff', discount: percent(100, true) }],
  },
  {
    key: 'press',
    occurrence: 'costa',
    name: 'Press',
    code: 'PRENSA',
    room: 15,
    type: 'SINGLE_USE',
    tickets: [{ slug: 'gravel-120', room: 10, discount: percent(100, true), opensInDays: 7 }],
  },
  {
    key: 'sponsor-places',
    partner: 'velocity',
    occurrence: 'costa',
    name: 'Velocity Bank guests',
    code: 'VELOCITY',
    room: 40,
    canPartnerCancel: true,
    tickets: [
      { slug: 'gravel-120' },
      {
        slug: 'ruta-60',
        room: 20,
        discount: { type: 'FLAT_RATE', price: { value: 1500, currencyCode: 'EUR' } },
      },
    ],
  },
];

export const codes: DemoCode[] = [
  { code: 'SPRING10', discount: percent(10), room: 2_000, group: 'Spring launch', from: -150, until: 90 },
  {
    code: 'CLUB5',
    discount: gbp(500),
    appliesPer: 'ENTRY',
    perTransaction: 12,
    room: 500,
    group: 'Clubs',
    occurrences: ['harbour', 'mud'],
  },
  {
    code: 'Crew-100',
    discount: percent(100, true),
    appliesPer: 'ENTRY',
    room: 0,
    group: 'Crew',
    tickets: ['harbour/marathon', 'harbour/half'],
  },
  { code: 'LIFEBOAT20', discount: gbp(2000), room: 80, partner: 'lifeboats', occurrences: ['harbour'] },
  { code: 'GRAVEL15', discount: percent(15), group: 'Sponsors', partner: 'velocity', occurrences: ['costa'] },
  { code: 'WINTER25', discount: percent(25), room: 60, group: 'Winter sale', from: -120, until: -30 },
  { code: 'OPENING-DAY', discount: percent(20), room: 500, from: 30, until: 33 },
  { code: 'MISPRINT99', discount: percent(99), group: 'Withdrawn', deleted: true },
];

const sizes = ['XS', 'S', 'M', 'L', 'XL'];

export const addOns: DemoAddOn[] = [
  { event: 'harbour-city-marathon', title: 'Finisher shirt', price: 2200, variants: sizes },
  { event: 'harbour-city-marathon', occurrence: 'harbour', title: 'Medal engraving', price: 900 },
  { event: 'semi-de-la-loire', title: 'T-shirt souvenir', price: 1800, variants: sizes },
  { event: 'havel-triathlon', title: 'Swim cap', price: 700, variants: ['Silicone', 'Latex'] },
  { event: 'costa-blanca-gravel', title: 'Jersey', price: 6500, variants: [...sizes, 'XXL'] },
  { event: 'mud-and-glory', title: 'Parking', price: 1000, variants: ['Car', 'Camper van', 'Minibus'] },
  { event: 'mud-and-glory', title: 'Hot shower', price: 300 },
  { event: 'mumbai-monsoon-10k', title: 'Rain poncho', price: 35_000 },
  { event: 'bondi-bluewater', title: 'Tow float', price: 2900, variants: ['Orange', 'Pink'] },
];
