import type { DemoEvent } from './shapes';

export const wheelsAndMud: DemoEvent[] = [
  {
    slug: 'costa-blanca-gravel',
    title: 'Costa Blanca Gravel',
    titles: { 'es-ES': 'Gravel Costa Blanca', 'ca-ES': 'Gravel Costa Blanca' },
    timeZone: 'Europe/Madrid',
    currency: 'EUR',
    place: {
      city: 'Alicante',
      countryCode: 'ES',
      countryName: 'Spain',
      addressLine1: 'Explanada de España',
      postCode: '03002',
      latitude: 38.3436,
      longitude: -0.4822,
    },
    tags: ['gravel', 'cycling', 'coast'],
    content: {
      excerpt: '<p>Almond terraces, white roads, salt on your bottles.</p>',
      courseDetails:
        '<p><a href="https://costa-blanca-gravel.example/gpx">GPX files</a> two weeks before.</p>',
      travel: '<p>Bike boxes can be left at the start from Friday.</p>',
    },
    occurrences: [
      {
        key: 'costa',
        inDays: 70,
        races: [
          {
            title: 'Gravel 120',
            discipline: 'OFFROAD_BIKING',
            distance: [120, 'KM'],
            startTime: '08:00:00',
            form: 'cycling',
            tickets: [
              { slug: 'gravel-120', title: 'Gravel 120', price: 7500, sale: 'open', room: 600 },
              {
                slug: 'gravel-120-early',
                title: 'Early bird',
                titles: { 'es-ES': 'Anticipada' },
                price: 6000,
                sale: 'over',
                room: 0,
              },
            ],
          },
          {
            title: 'Ruta 60',
            discipline: 'BIKE_TOUR',
            distance: [60, 'KM'],
            startTime: '09:00:00',
            form: 'cycling',
            tickets: [{ slug: 'ruta-60', title: 'Ruta 60', price: 4500, sale: 'open', room: 600 }],
          },
        ],
      },
    ],
  },
  {
    slug: 'coast-to-coast-ride',
    title: 'Coast to Coast Ride',
    timeZone: 'Europe/London',
    currency: 'GBP',
    place: {
      city: 'Whitehaven',
      countryCode: 'GB',
      countryName: 'United Kingdom',
      countyLine: 'Cumbria',
      latitude: 54.549,
      longitude: -3.5899,
    },
    tags: ['cycling', 'road', 'announced'],
    content: { excerpt: '<p>Sea to sea, once the roadworks are done. Date to be announced.</p>' },
    occurrences: [
      {
        key: 'coast',
        races: [
          {
            title: 'Sea to Sea',
            discipline: 'ROAD_CYCLING',
            distance: [140, 'MI'],
            form: 'cycling',
            tickets: [{ slug: 'ride', title: 'Ride', price: 9500, sale: 'soon', room: 1_000 }],
          },
        ],
      },
    ],
  },
  {
    slug: 'rocky-ridge-enduro',
    title: 'Rocky Ridge Enduro',
    titles: { 'en-CA': 'Rocky Ridge Enduro', 'fr-CA': 'Enduro de la Crête' },
    timeZone: 'America/Edmonton',
    currency: 'CAD',
    place: {
      city: 'Canmore',
      countryCode: 'CA',
      countryName: 'Canada',
      countyLine: 'Alberta',
      postCode: 'T1W 2T9',
      latitude: 51.089,
      longitude: -115.359,
    },
    tags: ['mtb', 'enduro'],
    content: { excerpt: '<p>Five timed stages, bears permitting.</p>' },
    occurrences: [
      {
        key: 'rocky',
        inDays: 189,
        races: [
          {
            title: 'Enduro',
            discipline: 'MOUNTAIN_BIKING',
            distance: [38, 'KM'],
            startTime: '09:30:00',
            form: 'cycling',
            tickets: [{ slug: 'enduro', title: 'Enduro', price: 11_000, sale: 'open', room: 260 }],
          },
        ],
      },
    ],
  },
  {
    slug: 'mud-and-glory',
    title: 'Mud & Glory',
    timeZone: 'Europe/London',
    currency: 'GBP',
    place: {
      city: 'Leeds',
      countryCode: 'GB',
      countryName: 'United Kingdom',
      addressLine1: 'Bramham Park',
      countyLine: 'West Yorkshire',
      postCode: 'LS23 6ND',
      latitude: 53.87,
      longitude: -1.388,
    },
    tags: ['ocr', 'obstacles', 'teams', 'fun'],
    content: {
      excerpt: '<p>25 obstacles. <em>All</em> of them wet.</p>',
      racedayLogistics: '<p>A wave every fifteen minutes; come with your wave.</p>',
      spectators: '<p>Spectators are free, wellies are not.</p>',
    },
    occurrences: [
      {
        key: 'mud',
        inDays: 14,
        races: [
          {
            title: '10K Gauntlet',
            discipline: 'OBSTACLE',
            distance: [10, 'KM'],
            startTime: '09:00:00',
            form: 'running',
            waves: [8, 15],
            tickets: [
              { slug: 'gauntlet', title: 'Gauntlet', price: 4900, sale: 'open', room: 700 },
              {
                slug: 'gauntlet-squad',
                title: 'Squad of four',
                price: 4200,
                sale: 'open',
                room: 200,
                unitSize: 4,
              },
            ],
          },
          {
            title: '5K Splash',
            discipline: 'OBSTACLE',
            distance: [5, 'KM'],
            startTime: '11:30:00',
            form: 'running',
            tickets: [{ slug: 'splash', title: 'Splash', price: 2900, sale: 'open', room: 0 }],
          },
        ],
      },
    ],
  },
  {
    slug: 'vercors-nordic',
    title: 'Vercors Nordic',
    titles: { 'fr-FR': 'La Nordique du Vercors' },
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    place: {
      city: 'Autrans',
      countryCode: 'FR',
      countryName: 'France',
      postCode: '38880',
      latitude: 45.1742,
      longitude: 5.5436,
    },
    tags: ['ski', 'winter'],
    content: { excerpt: '<p>Brouillon : parcours en attente de la neige.</p>' },
    occurrences: [
      {
        key: 'vercors',
        inDays: 380,
        published: false,
        races: [
          {
            title: '42 km classic',
            titles: { 'fr-FR': '42 km classique' },
            discipline: 'CROSS_COUNTRY_SKIING',
            distance: [42, 'KM'],
            startTime: '09:00:00',
            tickets: [
              {
                slug: 'classic',
                title: 'Classic',
                titles: { 'fr-FR': 'Classique' },
                price: 6800,
                sale: 'soon',
                room: 1_200,
              },
            ],
          },
        ],
      },
    ],
  },
  {
    slug: 'northwind-staff-relay',
    title: 'Northwind Staff Relay',
    timeZone: 'Europe/London',
    currency: 'GBP',
    place: {
      city: 'London',
      countryCode: 'GB',
      countryName: 'United Kingdom',
      addressLine1: 'Victoria Park',
      postCode: 'E9 7DE',
      latitude: 51.5362,
      longitude: -0.0396,
    },
    tags: ['corporate', 'relay', 'private'],
    content: { excerpt: '<p>For staff of Northwind only: the link is the invitation.</p>' },
    occurrences: [
      {
        key: 'northwind',
        inDays: 38,
        discoverable: false,
        races: [
          {
            title: 'Relay 4 × 5 km',
            discipline: 'RUNNING',
            distance: [20, 'KM'],
            startTime: '18:30:00',
            form: 'relay',
            tickets: [
              {
                slug: 'staff',
                title: 'Staff team of four',
                price: 1500,
                sale: 'open',
                room: 160,
                unitSize: 4,
              },
            ],
          },
        ],
      },
    ],
  },
];
