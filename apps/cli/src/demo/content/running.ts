import type { DemoEvent, DemoRace } from './shapes';

const km = (value: number): [number, 'KM'] => [value, 'KM'];

const harbourPast: DemoRace[] = [
  {
    title: 'Marathon',
    titles: { 'fr-FR': 'Marathon', 'de-DE': 'Marathon' },
    discipline: 'RUNNING',
    distance: km(42.195),
    startTime: '09:00:00',
    course: 'Harbourside loop, IAAF measured',
    form: 'running',
    waves: [3, 10],
    tickets: [
      { slug: 'marathon', title: 'Marathon entry', price: 6200, sale: 'open' },
      { slug: 'marathon-club', title: 'Club entry', price: 5700, sale: 'over', room: 40 },
    ],
  },
  {
    title: 'Half Marathon',
    titles: { 'fr-FR': 'Semi-marathon', 'de-DE': 'Halbmarathon' },
    discipline: 'RUNNING',
    distance: km(21.0975),
    startTime: '10:30:00',
    form: 'running',
    tickets: [{ slug: 'half', title: 'Half marathon entry', price: 4200, sale: 'open', room: 0 }],
  },
];

const harbourNext: DemoRace[] = [
  {
    title: 'Marathon',
    titles: { 'fr-FR': 'Marathon', 'de-DE': 'Marathon', 'es-ES': 'Maratón' },
    discipline: 'RUNNING',
    distance: km(42.195),
    startTime: '09:00:00',
    course: 'Harbourside loop, IAAF measured',
    form: 'running',
    waves: [4, 10],
    tickets: [
      {
        slug: 'marathon',
        title: 'Marathon entry',
        titles: { 'fr-FR': 'Dossard marathon', 'de-DE': 'Startplatz Marathon' },
        description: 'Medal, finisher shirt and free travel on the ferry on race day.',
        price: 6500,
        sale: 'open',
        room: 60_000,
      },
      { slug: 'marathon-early', title: 'Early bird', price: 5400, sale: 'over', room: 120 },
      {
        slug: 'marathon-charity',
        title: 'Charity place',
        description: 'Raise money for one of our partner charities.',
        price: 3500,
        sale: 'open',
        room: 800,
        asksDonation: true,
      },
      { slug: 'marathon-ballot', title: 'Ballot entry', price: 6500, sale: 'open', approval: 'BALLOT' },
      { slug: 'marathon-late', title: 'Late entry', price: 8000, sale: 'soon', room: 500 },
    ],
  },
  {
    title: 'Half Marathon',
    titles: { 'fr-FR': 'Semi-marathon', 'de-DE': 'Halbmarathon', 'es-ES': 'Media maratón' },
    discipline: 'RUNNING',
    distance: km(21.0975),
    startTime: '10:30:00',
    form: 'running',
    waves: [3, 10],
    tickets: [
      { slug: 'half', title: 'Half marathon entry', price: 4500, sale: 'open', room: 0 },
      { slug: 'half-club', title: 'Club entry', price: 4000, sale: 'open', room: 300 },
    ],
  },
  {
    title: 'Kids Mile',
    discipline: 'RUNNING',
    distance: [1, 'MI'],
    startTime: '12:00:00',
    form: 'junior',
    tickets: [
      { slug: 'kids-mile', title: 'Kids Mile (6 to 14 years)', price: 0, sale: 'open', room: 400 },
      { slug: 'kids-mile-parent', title: 'Parent runner', price: 500, sale: 'open', deleted: true },
    ],
  },
];

const parkRun: DemoRace[] = [
  {
    title: '5K',
    discipline: 'RUNNING',
    distance: km(5),
    startTime: '09:00:00',
    tickets: [{ slug: 'free', title: 'Free entry', price: 0, sale: 'any' }],
  },
];

export const running: DemoEvent[] = [
  {
    slug: 'harbour-city-marathon',
    title: 'Harbour City Marathon',
    titles: {
      'fr-FR': 'Marathon du Vieux Port',
      'de-DE': 'Hafenstadt-Marathon',
      'es-ES': 'Maratón del Puerto',
    },
    timeZone: 'Europe/London',
    currency: 'GBP',
    place: {
      city: 'Bristol',
      countryCode: 'GB',
      countryName: 'United Kingdom',
      addressLine1: 'Lloyds Amphitheatre',
      addressLine2: 'Canons Way',
      countyLine: 'City of Bristol',
      postCode: 'BS1 5LL',
      latitude: 51.4493,
      longitude: -2.6014,
    },
    tags: ['marathon', 'city', 'flat', 'fundraising'],
    content: {
      excerpt: '<p>Two laps of the floating harbour, <strong>one</strong> very loud finish.</p>',
      courseDetails: '<ul><li>AIMS measured</li><li>72 m of climb</li><li>Water every 4 km</li></ul>',
      racedayLogistics:
        '<p>Bag drop opens at <time>07:00</time>. Waves close five minutes before they start.</p>',
      travel: '<p>Temple Meads station is a 20 minute walk; ferries are free with a bib.</p>',
      spectators: '<p>Cheer zones at <em>Prince Street Bridge</em> and Underfall Yard.</p>',
    },
    occurrences: [
      { key: 'harbour-past', inDays: -336, races: harbourPast },
      { key: 'harbour', inDays: 28, races: harbourNext },
    ],
  },
  {
    slug: 'semi-de-la-loire',
    title: 'Semi de la Loire',
    titles: { 'fr-FR': 'Semi de la Loire', 'de-DE': 'Loire-Halbmarathon' },
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    place: {
      city: 'Nantes',
      countryCode: 'FR',
      countryName: 'France',
      addressLine1: 'Quai des Antilles',
      postCode: '44200',
      latitude: 47.2003,
      longitude: -1.5733,
    },
    tags: ['half-marathon', 'relay', 'riverside'],
    content: {
      excerpt: '<p>La Loire à gauche, le château à droite, et le muguet à l’arrivée.</p>',
      courseDetails: '<p>Parcours plat, <abbr title="Fédération">FFA</abbr> labellisé.</p>',
      spectators: '<p>Fanfares tous les deux kilomètres.</p>',
    },
    occurrences: [
      {
        key: 'loire',
        inDays: 61,
        races: [
          {
            title: 'Half Marathon',
            titles: { 'fr-FR': 'Semi-marathon' },
            discipline: 'RUNNING',
            distance: km(21.1),
            startTime: '09:30:00',
            course: 'Bords de Loire',
            form: 'running',
            waves: [2, 15],
            tickets: [
              {
                slug: 'semi',
                title: 'Half marathon',
                titles: { 'fr-FR': 'Semi' },
                price: 3800,
                sale: 'open',
                room: 2_500,
              },
              {
                slug: 'semi-elite',
                title: 'Elite',
                titles: { 'fr-FR': 'Élite' },
                price: 0,
                sale: 'open',
                approval: 'MANUAL',
                room: 40,
              },
            ],
          },
          {
            title: 'Ekiden relay',
            titles: { 'fr-FR': 'Marathon relais Ekiden' },
            discipline: 'RUNNING',
            distance: km(42.195),
            startTime: '13:00:00',
            form: 'relay',
            tickets: [
              {
                slug: 'ekiden',
                title: 'Team of six',
                titles: { 'fr-FR': 'Équipe de six' },
                price: 2200,
                sale: 'open',
                room: 600,
                unitSize: 6,
              },
            ],
          },
        ],
      },
    ],
  },
  {
    slug: 'mumbai-monsoon-10k',
    title: 'Mumbai Monsoon 10K',
    titles: { 'hi-IN': 'मुंबई मानसून 10K' },
    timeZone: 'Asia/Kolkata',
    currency: 'INR',
    place: {
      city: 'Mumbai',
      countryCode: 'IN',
      countryName: 'India',
      addressLine1: 'Marine Drive',
      countyLine: 'Maharashtra',
      postCode: '400020',
      latitude: 18.9432,
      longitude: 72.8236,
    },
    tags: ['10k', 'sea-view', 'charity'],
    content: {
      excerpt: '<p>Along the Queen’s Necklace before the city wakes up.</p>',
      racedayLogistics: '<p>Hydration &amp; cold sponges every 1.5 km.</p>',
    },
    occurrences: [
      {
        key: 'mumbai',
        inDays: 84,
        races: [
          {
            title: '10K',
            discipline: 'RUNNING',
            distance: km(10),
            startTime: '06:15:00',
            form: 'running',
            tickets: [
              { slug: '10k', title: '10K', price: 120_000, sale: 'open', room: 5_000 },
              {
                slug: '10k-cause',
                title: 'Run for a cause',
                price: 90_000,
                sale: 'open',
                room: 500,
                asksDonation: true,
              },
            ],
          },
        ],
      },
    ],
  },
  {
    slug: 'city-park-5k',
    title: 'City Park 5K',
    timeZone: 'Europe/London',
    currency: 'ZERO',
    place: {
      city: 'Sheffield',
      countryCode: 'GB',
      countryName: 'United Kingdom',
      postCode: 'S11 7AA',
      latitude: 53.3624,
      longitude: -1.5008,
    },
    tags: ['5k', 'free', 'community', 'monthly'],
    content: { excerpt: '<p>Free, friendly, and over in time for breakfast.</p>' },
    occurrences: [
      { key: 'park-1', inDays: -61, races: parkRun },
      { key: 'park-2', inDays: -33, races: parkRun },
      { key: 'park-3', inDays: 2, races: parkRun },
      { key: 'park-4', inDays: 30, races: parkRun },
    ],
  },
];
