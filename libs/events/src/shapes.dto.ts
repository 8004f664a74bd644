import type { Price } from '#libs/resources';

/*
 * What the contract calls optional is left out where it has no value, wherever a part is shown: one schema
 * describes the part in the marketplace's answers and the organizer's.
 */

export const SPORT_DISCIPLINES = [
  'RUNNING',
  'ROAD_CYCLING',
  'TRIATHLON',
  'OBSTACLE',
  'SWIMMING',
  'MOUNTAIN_BIKING',
  'DUATHLON',
  'SWIMRUN',
  'OTHER',
  'ADVENTURE_RACE',
  'AQUABIKE',
  'AQUATHLON',
  'BIATHLON',
  'QUADRATHLON',
  'ALPINE_SKIING',
  'CLIMBING',
  'CYCLOCROSS',
  'CROSS_COUNTRY_SKIING',
  'HIKING',
  'HORSE_RIDING',
  'KAYAKING',
  'ORIENTEERING',
  'ROWING',
  'SUP',
  'RUNCYCLE',
  'BIKE_TOUR',
  'OFFROAD_BIKING',
] as const;
/** What kind of sport it is. */
export type SportDiscipline = (typeof SPORT_DISCIPLINES)[number];

export const DISTANCE_UNITS = ['KM', 'MI', 'M', 'YD', 'MIN'] as const;
/** Kilometres, miles, metres, yards; minutes for events that run against the clock. */
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];

/** Derived from a ticket's sale dates and the places left. */
export type Availability = 'AVAILABLE' | 'SOLD_OUT' | 'CLOSED' | 'NOT_YET_ON_SALE';

/** Locale to text. */
export type ByLocale = Record<string, string>;

/**
 * What visitors read, as HTML.
 * @closed
 */
export class EventContent {
  /**
   * What it is, in a few sentences.
   * @example <p>Two laps of the old town.</p>
   */
  excerpt?: string;
  /**
   * The course.
   * @example <p>Flat and fast, on closed roads.</p>
   */
  courseDetails?: string;
  /**
   * What happens when and where on the day.
   * @example <p>Bag drop opens at 07:00.</p>
   */
  racedayLogistics?: string;
  /**
   * How to get there.
   * @example <p>Ten minutes on foot from the station.</p>
   */
  travel?: string;
  /**
   * Where to watch from.
   * @example <p>The bridge at kilometre 12 is the best place to cheer.</p>
   */
  spectators?: string;
}

/**
 * A point on the map, in degrees (WGS 84).
 * @closed
 */
export class Coordinates {
  /**
   * @minimum -90
   * @maximum 90
   * @example 51.5033
   */
  latitude: number;

  /**
   * @minimum -180
   * @maximum 180
   * @example -0.1195
   */
  longitude: number;
}

/**
 * As far as it is known.
 * @closed
 */
export class Address {
  /** @example London */
  city?: string;
  /**
   * All of it in one line.
   * @example The Mall, London SW1A 1AA, United Kingdom
   */
  formatted?: string;
  /**
   * ISO 3166, two letters.
   * @example GB
   */
  countryCode?: string;
  /** @example United Kingdom */
  countryName?: string;
  /** @example The Mall */
  addressLine1?: string;
  /** @example St James's Park */
  addressLine2?: string;
  /**
   * The county, region or state.
   * @example Greater London
   */
  countyLine?: string;
  /** @example SW1A 1AA */
  postCode?: string;
}

/**
 * Where it takes place.
 * @closed
 */
export class EventLocation {
  coordinates?: Coordinates;
  address: Address;
}

/**
 * Links to pictures.
 * @closed
 */
export class EventImages {
  /**
   * The wide picture at the top.
   * @format uri
   */
  hero?: string;
  /**
   * The event's own mark.
   * @format uri
   */
  logo?: string;
  /**
   * All others: neither the hero nor the logo is among them.
   * @format uri
   */
  all: string[];
}

/**
 * How far, or how long.
 * @closed
 */
export class RaceDistance {
  /**
   * In `unit`.
   * @example 21.1
   */
  value?: number;
  unit?: DistanceUnit;
}

/**
 * What its tickets cost, from the cheapest to the dearest.
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
  /** @format uuid */
  id: string;

  /** @example Half marathon */
  title: string;

  /**
   * The title by locale; the default title is always there.
   * @example {"en-GB": "Half marathon", "de-DE": "Halbmarathon"}
   */
  titleByLocale: ByLocale;

  discipline?: SportDiscipline;

  distance: RaceDistance;

  /**
   * Absent while the start is not confirmed.
   * @format date
   */
  startDate?: string;

  /**
   * Local time at the event.
   * @format time-local
   * @example 09:30:00
   */
  startTime?: string;

  priceRange: PriceRange;
}
