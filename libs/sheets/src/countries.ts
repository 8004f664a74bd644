import codes from 'i18n-iso-countries/codes.json';
import german from 'i18n-iso-countries/langs/de.json';
import english from 'i18n-iso-countries/langs/en.json';
import french from 'i18n-iso-countries/langs/fr.json';
import { type Candidate, plain } from './match-values';

/** Codes of the International Olympic Committee that differ from ISO 3166, as results and start lists have them. */
const OLYMPIC: Record<string, string> = Object.fromEntries(
  (
    'ALG=DZ ANG=AO AUT=AT BAH=BS BAR=BB BOT=BW BRN=BH BRU=BN BUL=BG CAM=KH CHA=TD CHI=CL CRC=CR CRO=HR ' +
    'DEN=DK ESA=SV FIJ=FJ GAM=GM GER=DE GRE=GR GUA=GT HAI=HT HON=HN INA=ID IRI=IR KSA=SA KUW=KW LAT=LV ' +
    'LBA=LY LIB=LB LES=LS MAD=MG MAS=MY MAW=MW MGL=MN MON=MC MRI=MU MYA=MM NED=NL NEP=NP NGR=NG NIG=NE ' +
    'OMA=OM PAR=PY PHI=PH POR=PT PUR=PR RSA=ZA SLO=SI SRI=LK SUD=SD SUI=CH TAN=TZ TPE=TW UAE=AE URU=UY ' +
    'VIE=VN ZAM=ZM ZIM=ZW'
  )
    .split(' ')
    .map((pair) => pair.split('=')),
);
/** Parts of the United Kingdom, which start for themselves in some sports. */
const PARTS = ['England', 'Scotland', 'Wales', 'Northern Ireland', 'Angleterre'];
/** Names that people write and the lists lack. */
const FURTHER: Record<string, string[]> = {
  GB: PARTS,
  US: ['États-Unis', 'America', 'Amerika'],
  DE: ['BRD'],
  NL: ['Holland'],
  IE: ['Republic of Ireland', 'Eire', 'Éire'],
  SZ: ['Swaziland', 'Swasiland'],
  MK: ['Macedonia', 'Mazedonien', 'Macédoine'],
  MM: ['Burma', 'Birma', 'Birmanie'],
};

/** Names that two countries have. */
const SHARED = ['Congo', 'Kongo'];

const ISO_CODES = new Map((codes as string[][]).map(([id = '', long = '']) => [long, id]));

/** The name of a country in its language: `España`. */
function ownNameOf(id: string): string[] {
  const { language, script } = new Intl.Locale('und', { region: id }).maximize();
  const names = new Intl.DisplayNames(`${language}-${script}`, { type: 'region', fallback: 'none' });
  return [names.of(id)].filter((name) => name !== undefined);
}

/** The countries with their codes, and their names in English, German, French and their own language, which are made when they are needed. */
export const COUNTRIES: readonly Candidate[] = (codes as string[][]).map(([id = '', long = '']) => {
  let names: string[] | undefined;
  return {
    id,
    get names() {
      names ??= [
        ...[english, german, french]
          .flatMap(({ countries }) => (countries as Named)[id] ?? [])
          .filter((name) => !SHARED.includes(name)),
        // `BRN` is Brunei or Bahrain: the other codes of its column say which.
        ...(OLYMPIC[long] && OLYMPIC[long] !== id ? [] : [long]),
        ...Object.keys(OLYMPIC).filter((code) => OLYMPIC[code] === id && !ISO_CODES.has(code)),
        ...(FURTHER[id] ?? []),
        ...ownNameOf(id),
      ];
      return names;
    },
  };
});
type Named = Record<string, string | string[]>;

let byName: Map<string, Candidate> | undefined;

/** The two countries (ISO alpha-2) of a code that ISO and the IOC give to different ones, such as `BRN`; undefined if they agree. */
export function countriesOfCode(text: string): { ISO: string; IOC: string } | undefined {
  const code = text.trim().toUpperCase();
  const [ISO, IOC] = [ISO_CODES.get(code), OLYMPIC[code]];
  return ISO && IOC && ISO !== IOC ? { ISO, IOC } : undefined;
}

/** Which list has a code that the other one lacks. */
export function listOfCode(text: string): 'ISO' | 'IOC' | undefined {
  const code = text.trim().toUpperCase();
  const [ISO, IOC] = [ISO_CODES.get(code), OLYMPIC[code]];
  if (IOC) return ISO ? undefined : 'IOC';
  return ISO && Object.values(OLYMPIC).includes(ISO) ? 'ISO' : undefined;
}

/** The country with this name or code. */
export function countryOf(text: string): Candidate | undefined {
  byName ??= new Map(
    COUNTRIES.flatMap((country) => [country.id, ...country.names].map((name) => [plain(name), country])),
  );
  // `n/a` is no answer.
  return /^n\W+a\W*$/i.test(text.trim()) ? undefined : byName.get(plain(text));
}

/** Whether a text is the name of a part of a country, which other names of the country do not mean. */
export const isPart = (text: string): boolean => PARTS.some((name) => plain(name) === plain(text));

/** A place as people name it in one text. */
interface Place {
  /** Of the country. */
  id: string;
  name: string;
  /** The text before the country: `FL` in `FL, United States`. */
  part?: string;
  city?: string;
}

/** Cities of the country that has its name from a state of the United States, for English readers. */
const GEORGIAN = /^(tbilisi|batumi|kutaisi|rustavi|gudauri|mestia|kazbegi|stepantsminda|bakuriani|borjomi)$/i;

/** A country by one of its names, but not by a code where it is a part of a text: `GA` may be a part of a country. */
const named = (name: string): Candidate | undefined => (name.length > 3 ? countryOf(name) : undefined);

/**
 * The country of a text, alone or after the name of a part of it. A part that is in the list of countries takes
 * precedence: `Hong Kong, China` is HK. `Savannah, Georgia` is in the United States.
 */
export function placeIn(text: string): Place | undefined {
  const whole = countryOf(text);
  if (whole) return { id: whole.id, name: (/^[A-Z]{2,3}$/.test(text) && whole.names[0]) || text };
  const comma = text.lastIndexOf(',');
  if (comma < 0) return undefined;
  const [part, last] = [text.slice(0, comma).trim(), text.slice(comma + 1).trim()];
  const alone = named(part);
  if (alone) return { id: alone.id, name: text };
  if (last.toLowerCase() === 'georgia' && !GEORGIAN.test(part))
    return { id: 'US', name: 'United States', part: last, city: part };
  const country = named(last) ?? (/^(USA?|UK)$/.test(last) ? countryOf(last) : undefined);
  return country && { id: country.id, name: last, part };
}
