import countries from 'i18n-iso-countries/index';
import english from 'i18n-iso-countries/langs/en.json';
import { LRUCache } from 'lru-cache';
import { countryOf } from '#libs/sheets';

countries.registerLocale(english);

/**
 * The default time zone of countries with several: the one in which most people live. A columns file can override it
 * for a country or a part of it.
 */
const MAIN_ZONES: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Gaza',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
};

export interface Place {
  countryCode: string;
  /** The text before the country: `FL` in `FL, United States`. */
  countyLine?: string;
}

const codes = new LRUCache<string, { code: string | undefined }>({ max: 1_000 });
/** A cache, because a lookup searches all countries. */
const codeOf = (name: string): string | undefined => {
  const known = codes.get(name) ?? { code: countries.getSimpleAlpha2Code(name, 'en') };
  codes.set(name, known);
  return known.code;
};

/** Also by its German or French name, but not by a code: `GA` may be a part of a country. */
const named = (name: string): string | undefined =>
  codeOf(name) ?? (name.length > 3 ? countryOf(name)?.id : undefined);

/**
 * The country of a text, which is the name of a country, alone or after the name of a part of it. A part
 * that is in the list of countries takes precedence: `Hong Kong, China` is HK.
 */
export function placeOf(text: string): Place | undefined {
  const whole = named(text);
  if (whole) return { countryCode: whole };
  const comma = text.lastIndexOf(',');
  if (comma < 0) return undefined;
  const part = text.slice(0, comma).trim();
  const partAlone = codeOf(part);
  if (partAlone) return { countryCode: partAlone };
  const countryCode = named(text.slice(comma + 1).trim());
  return countryCode ? { countryCode, countyLine: part } : undefined;
}

/** @returns the zone, and whether other parts of the country have another time; `undefined` if the zone is unknown */
export function zoneOf(
  { countryCode, countyLine }: Place,
  given: Record<string, string>,
): { timeZone: string; oneOfSeveral: boolean } | undefined {
  const said = given[`${countryCode}/${countyLine}`] ?? given[countryCode];
  if (said) return { timeZone: said, oneOfSeveral: false };
  let zone = taken.get(countryCode);
  if (zone === undefined) {
    const zones = zonesOf(countryCode);
    const timeZone = zones.length === 1 ? zones[0] : MAIN_ZONES[countryCode];
    zone = timeZone ? { timeZone, oneOfSeveral: new Set(zones.map(offsetsOf)).size > 1 } : null;
    taken.set(countryCode, zone);
  }
  return zone ?? undefined;
}

const taken = new Map<string, { timeZone: string; oneOfSeveral: boolean } | null>();

/** Node's CLDR data has some zones under names that IANA has replaced. */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
};

/** A method in new versions of Node, a property in older ones. */
type Zoned = Intl.Locale & { getTimeZones?(): string[] | undefined; timeZones?: string[] };

function zonesOf(countryCode: string): string[] {
  const locale: Zoned = new Intl.Locale('und', { region: countryCode });
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  return zones.map((zone) => RENAMED[zone] ?? zone);
}

/** The UTC offsets in winter and in summer. */
const offsetsOf = (timeZone: string): string => {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', hour: 'numeric' });
  return [1, 7].map((month) => format.format(Date.UTC(2025, month, 1)).replace(/.*GMT/, '')).join();
};
