import { type Candidate, type Match, placeIn } from '#libs/sheets';
import type { RecordOf } from '../../format/records';

type Occurrence = RecordOf<'occurrence'>;

/** The time zone that is proposed for countries with several: the one in which most people live. */
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

export const UNKNOWN_ZONE = 'UTC';
/** Instead of the code of a country that is not known. */
const UNKNOWN = '?';

/** Where an occurrence is. */
export interface Place {
  /** Absent if the country is not known. */
  countryCode?: string;
  /** What has the same time zone, as people name it: `FL, US`. */
  name: string;
}

/** Finds where an occurrence is, and adds to its address the code of the country, and the part that was named before it. */
export function locate({ location }: Occurrence): Place | undefined {
  const address = location?.address;
  if (!address) return undefined;
  const read = placeIn(address.countryName ?? '');
  const countryCode = address.countryCode ?? read?.id;
  if (!countryCode) return address.countryName ? { name: address.countryName } : undefined;
  address.countryCode = countryCode;
  const within = (read?.id === countryCode && read.part) || address.countyLine || address.city;
  if (read?.id === countryCode && !(read.part && address.countyLine)) {
    address.countryName = read.name;
    if (read.part) address.countyLine = read.part;
    if (read.city) address.city ??= read.city;
  }
  return { countryCode, name: within ? `${countryCode}/${within}` : countryCode };
}

/** The time zones of places; those of countries with several, or that are not known, are asked, once for a part or city. */
export class Zones {
  /** What the places stand for, and what they can stand for. */
  readonly matches = new Map<string, Match>();
  readonly candidates = new Map<string, Candidate>();

  constructor(private readonly answers: Record<string, string>) {}

  of(place: Place | undefined): { timeZone: string; isCertain: boolean; isOpen?: boolean } {
    if (!place) return { timeZone: UNKNOWN_ZONE, isCertain: false };
    const { countryCode: of = UNKNOWN, name } = place;
    const { zones, usual, isSingle } = zonesOf(of);
    if (usual && isSingle) return { timeZone: usual, isCertain: true };
    const id = this.answers[name] ?? this.answers[of];
    const match = this.matches.get(name) ?? {
      ...{ text: name, key: name, count: 0, of },
      ...(usual && { close: usual }),
    };
    this.matches.set(name, { ...match, count: match.count + 1, ...(id && { id }) });
    for (const zone of zones) this.candidates.set(`${of} ${zone}`, { id: zone, names: [zone], of });
    return { timeZone: id ?? usual ?? UNKNOWN_ZONE, isCertain: id !== undefined, isOpen: !id };
  }
}

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

interface ZonesOfCountry {
  zones: string[];
  /** That of most people. */
  usual?: string;
  isSingle: boolean;
}
const zonesByCountry = new Map<string, ZonesOfCountry>();

function zonesOf(countryCode: string): ZonesOfCountry {
  const known = zonesByCountry.get(countryCode);
  if (known) return known;
  const isCode = /^[A-Z]{2}$/.test(countryCode);
  const locale: Zoned | undefined = isCode ? new Intl.Locale('und', { region: countryCode }) : undefined;
  const all = locale?.getTimeZones?.() ?? locale?.timeZones ?? [];
  const own = all.map((zone) => RENAMED[zone] ?? zone);
  const isSingle = new Set(own.map(offsetsOf)).size === 1;
  const usual = MAIN_ZONES[countryCode] ?? (isSingle ? own[0] : undefined);
  const found = { zones: own.length > 0 ? own : allZones(), usual, isSingle };
  if (isCode) zonesByCountry.set(countryCode, found);
  return found;
}

/** All time zones, those of many people first. */
const allZones = (): string[] => {
  const others = Intl.supportedValuesOf('timeZone').map((zone) => RENAMED[zone] ?? zone);
  return [...new Set([...Object.values(MAIN_ZONES), UNKNOWN_ZONE, ...others])];
};

/** The UTC offsets in winter and in summer. */
const offsetsOf = (timeZone: string): string => {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', hour: 'numeric' });
  return [1, 7].map((month) => format.format(Date.UTC(2025, month, 1)).replace(/.*GMT/, '')).join();
};
