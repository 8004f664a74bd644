import type { Price } from '#platform/queries';
import { DateOnly, Decimal, Id, LocalTime, Text, Uri, Value } from '#platform/validation';

/*
 * Optional properties without a value are omitted, so that one schema describes a part in the responses of the
 * marketplace and of the organizer (docs/interface.md#conventions).
 */

/** The disciplines, with their names for `disciplineLabel`. */
export const DISCIPLINE_LABELS = {
  RUNNING: 'Running',
  ROAD_CYCLING: 'Road cycling',
  TRIATHLON: 'Triathlon',
  OBSTACLE: 'Obstacle course',
  SWIMMING: 'Swimming',
  MOUNTAIN_BIKING: 'Mountain biking',
  DUATHLON: 'Duathlon',
  SWIMRUN: 'Swimrun',
  OTHER: 'Other',
  ADVENTURE_RACE: 'Adventure race',
  AQUABIKE: 'Aquabike',
  AQUATHLON: 'Aquathlon',
  BIATHLON: 'Biathlon',
  QUADRATHLON: 'Quadrathlon',
  ALPINE_SKIING: 'Alpine skiing',
  CLIMBING: 'Climbing',
  CYCLOCROSS: 'Cyclocross',
  CROSS_COUNTRY_SKIING: 'Cross-country skiing',
  HIKING: 'Hiking',
  HORSE_RIDING: 'Horse riding',
  KAYAKING: 'Kayaking',
  ORIENTEERING: 'Orienteering',
  ROWING: 'Rowing',
  SUP: 'Stand-up paddling',
  RUNCYCLE: 'Run and cycle',
  BIKE_TOUR: 'Bike tour',
  OFFROAD_BIKING: 'Off-road biking',
} as const;
/** The discipline. */
export type SportDiscipline = keyof typeof DISCIPLINE_LABELS;

export const SPORT_DISCIPLINES = Object.keys(DISCIPLINE_LABELS) as SportDiscipline[];

export const DISTANCE_UNITS = ['KM', 'MI', 'M', 'YD', 'MIN'] as const;
/** Kilometres, miles, metres, yards, or minutes for events with a time limit. */
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];

/** Computed from the sale dates and the remaining places of the ticket. */
export type Availability = 'AVAILABLE' | 'SOLD_OUT' | 'CLOSED' | 'NOT_YET_ON_SALE';

/** Locale to text. */
export type ByLocale = Record<string, string>;

/**
 * Content for visitors, as HTML.
 * @closed
 */
export class EventContent {
  /** A short description. */
  @Text({ example: '<p>Two laps of the old town.</p>' }) excerpt?: string;

  /** The course. */
  @Text({ example: '<p>Flat and fast, on closed roads.</p>' }) courseDetails?: string;

  /** Times and places on race day. */
  @Text({ example: '<p>Bag drop opens at 07:00.</p>' }) racedayLogistics?: string;

  /** Directions. */
  @Text({ example: '<p>Ten minutes on foot from the station.</p>' }) travel?: string;

  /** Information for spectators. */
  @Text({ example: '<p>The bridge at kilometre 12 is the best place to cheer.</p>' }) spectators?: string;
}

/**
 * A point on the map, in degrees (WGS 84).
 * @closed
 */
export class Coordinates {
  @Decimal({ min: -90, max: 90, example: 51.5033 }) latitude: number;
  @Decimal({ min: -180, max: 180, example: -0.1195 }) longitude: number;
}

/**
 * The address, as far as it is known.
 * @closed
 */
export class Address {
  @Text({ example: 'London' }) city?: string;

  /** The address in one line. */
  @Text({ example: 'The Mall, London SW1A 1AA, United Kingdom' }) formatted?: string;

  /** The two-letter country code (ISO 3166). */
  @Text({ example: 'GB' }) countryCode?: string;
  @Text({ example: 'United Kingdom' }) countryName?: string;
  @Text({ example: 'The Mall' }) addressLine1?: string;
  @Text({ example: "St James's Park" }) addressLine2?: string;

  /** The county, region or state. */
  @Text({ example: 'Greater London' }) countyLine?: string;
  @Text({ example: 'SW1A 1AA' }) postCode?: string;
}

/**
 * The location.
 * @closed
 */
export class EventLocation {
  coordinates?: Coordinates;
  address: Address;
}

/**
 * Links to images.
 * @closed
 */
export class EventImages {
  /** The hero image. */
  @Uri() hero?: string;

  /** The logo of the event. */
  @Uri() logo?: string;

  /** Other images, without the hero image and the logo. */
  @Uri() all: string[];
}

/**
 * The distance or duration.
 * @closed
 */
export class RaceDistance {
  /** The value in `unit`. */
  @Decimal({ example: 21.1 }) value?: number;
  unit?: DistanceUnit;
}

/**
 * The lowest and the highest price of the tickets.
 * @closed
 */
export class PriceRange {
  min?: Price;
  max?: Price;
}

/**
 * One race of an occurrence.
 * @closed
 */
export class RaceSummary {
  @Id() id: string;
  @Text({ example: 'Half marathon' }) title: string;

  /** The title by locale. The default title is always included. */
  @Value({ example: { 'en-GB': 'Half marathon', 'de-DE': 'Halbmarathon' } }) titleByLocale: ByLocale;
  discipline?: SportDiscipline;
  distance: RaceDistance;

  /** Absent until the start is confirmed. */
  @DateOnly() startDate?: string;

  /** Local time at the event. */
  @LocalTime({ example: '09:30:00' }) startTime?: string;
  priceRange: PriceRange;
}
