import { ENCODINGS, type Encoding } from './sheet';

/** The characters of the bytes from 0x80, where decoders know them not, or not everywhere. */
const TABLES: Partial<Record<Encoding, string>> = {
  'windows-1252': `€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ${Array.from({ length: 96 }, (_, i) => String.fromCharCode(0xa0 + i)).join('')}`,
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

const strict = (label: string, bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The text of bytes in an encoding; undefined if they are not in it. */
export function decoded(bytes: Uint8Array, encoding: Encoding): string | undefined {
  if (encoding === 'utf-8-twice') return repaired(strict('utf-8', bytes) ?? '');
  const table = TABLES[encoding];
  if (!table) return strict(encoding, bytes);
  const units = new Uint16Array(bytes.length);
  for (const [at, byte] of bytes.entries()) units[at] = byte < 0x80 ? byte : table.charCodeAt(byte - 0x80);
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units);
}

/** What reads UTF-8 by mistake: its characters of the bytes from 0x80, and what became of the bytes of one letter or sign. */
const MISREADINGS = (['windows-1252', 'macintosh', 'ibm850', 'ibm437'] as const).map((encoding) => {
  const table =
    decoded(
      Uint8Array.from({ length: 128 }, (_, at) => at + 0x80),
      encoding,
    ) ?? '';
  const of = (from: number, to = from) =>
    `[${table.slice(from - 0x80, to - 0x7f).replace(/[\\\]^-]/g, '\\$&')}]`;
  const next = of(0x80, 0xbf);
  // In the others, the first characters of further letters are usual in texts: `–É`.
  const further = `|${of(0xce, 0xd1)}${next}|${of(0xe3, 0xed)}${next}{2}|${of(0xf0)}${next}{3}`;
  const usual = `${of(0xc2, 0xc5)}${next}|${of(0xe2)}${next}{2}`;
  return { table, pattern: new RegExp(usual + (encoding === 'windows-1252' ? further : ''), 'g') };
});

/** A text that was written as UTF-8, read in another encoding and written as UTF-8 again, as it was: by the reading that explains most of it. */
const repaired = (text: string): string =>
  MISREADINGS.map(({ table, pattern }) =>
    text.replace(
      pattern,
      (letters) =>
        strict(
          'utf-8',
          Uint8Array.from(letters, (letter) => table.indexOf(letter) + 0x80),
        ) ?? letters,
    ),
  ).reduce((best, each) => (each.length < best.length ? each : best), text);

/** The letters of languages beside a to z, by the encodings that are for them. */
const EVERYWHERE = ['äöüß'];
const WESTERN = [
  ...['éèêëàâùûüîïôçœæÿ', 'áéíóúñüªº', 'ãõáâàéêíóôúçªº', 'àèéìòùóªº', 'éëïöüèêáíóú', 'æøåéü', 'åäöé'],
  ...['áéíóúýðþæö', 'àèéíïòóúüç', 'äöõüšž'],
];
const CENTRAL = [
  ...['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ', 'ëç'],
];
const LANGUAGES: Partial<Record<Encoding, string[]>> = {
  ...{ 'windows-1252': WESTERN, 'iso-8859-15': WESTERN, macintosh: WESTERN, ibm437: WESTERN },
  ...{ ibm850: WESTERN, 'windows-1250': CENTRAL, 'iso-8859-2': CENTRAL, ibm852: CENTRAL },
  ...{
    'windows-1254': ['çğıöşüâîû'],
    'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž', 'ąćęłńóśźż', 'æøåéü', 'åäöé'],
  },
  ...{ 'windows-1258': ['àáâãèéêìíòóôõùúýăđơư'], 'windows-1256': ['éèêëàâùûüîïôçœ'] },
};
const SCRIPTS: [string, RegExp][] = [
  ...['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai', 'Hangul'].map((name): [string, RegExp] => [
    name,
    new RegExp(`\\p{Script=${name}}`, 'u'),
  ]),
  ['Half', /[\uff66-\uff9f]/],
  ['Han', /[\p{Script=Han}\p{Script=Hiragana}\u30a1-\u30ff]/u],
];

/** Drawings, control characters, characters of no standard, accents without a letter, and signs that names do not have. */
const STRANGE =
  /[\x80-\x9f\ue000-\uf8ff\u2190-\u25ff\u02b0-\u02ff\u207f¨´¸¯\u05b0-\u05c7\u0e4e-\u0e5b]|^[\p{Lu}\u0590-\u0e7f]$/u;
/** A sign between two letters, other than an apostrophe or a dash; or beside one where none is written. */
const MISPLACED =
  /\p{L}[^\p{L}\p{M}\s\x20-\x7f’‘–—·]\p{L}|\p{L}[^\p{L}\p{M}\p{N}\s\x20-\x7f’‘–—·“”„«»…°®™\u3000-\u303f\uff00-\uffef]|[^\p{L}\p{M}\p{N}\s\x20-\x7f’‘–—·“”„«»…°§¿¡\u3000-\u303f\uff00-\uffef]\p{L}/u;
const CASED = /^(\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]*|[\p{Lu}\p{Lo}\p{M}]+)$/u;
const VOWELS = /[aeiouyæøœ]{4}/;
const CONSONANTS = /[bcdfghjklmnpqrstvwxzłđß]{6}/;

/** A text that an encoding gives, and how much of it can't be meant. */
export interface Reading {
  encoding: Encoding;
  words: string[];
  /** Words that no language has. */
  faulty: boolean[];
  faults: number;
  /** The languages that the words need together. */
  languages: number;
}

/** Reads words in an encoding; undefined if their bytes are not in it. */
export function readingOf(tokens: readonly string[], encoding: Encoding): Reading | undefined {
  const bytes = Uint8Array.from(tokens.join('\n'), (letter) => letter.charCodeAt(0));
  const words = decoded(bytes, encoding)?.split('\n');
  if (!words) return undefined;
  const languages = [...EVERYWHERE, ...(LANGUAGES[encoding] ?? [])];
  const open: Set<number>[] = [];
  const scripts = new Set<string>();
  const faulty = words.map((word) => {
    const parts = word.match(/[\p{L}\p{M}]+/gu)?.filter((part) => /[\u0080-\uffff]/.test(part)) ?? [];
    const isWrong = STRANGE.test(word) || MISPLACED.test(word);
    return parts.map((part) => isFaulty(part, languages, open, scripts)).includes(true) || isWrong;
  });
  const needed = leastCover(open) + scripts.size;
  return { encoding, words, faulty, faults: faulty.filter(Boolean).length, languages: needed };
}

function isFaulty(part: string, languages: string[], open: Set<number>[], scripts: Set<string>): boolean {
  const [script, ...others] = SCRIPTS.filter(([, pattern]) => pattern.test(part));
  if (!script || others.length > 0 || /^\p{M}/u.test(part) || !CASED.test(part.replace(/ß/g, '')))
    return true;
  if (script[0] !== 'Latin') {
    scripts.add(script[0]);
    return false;
  }
  const small = part.toLowerCase().replace(/\u0307/g, '');
  const own = [...small].filter((letter) => letter > '\x7f');
  const fits = languages.flatMap((letters, at) => (own.every((each) => letters.includes(each)) ? [at] : []));
  if (fits.length === 0 || /[\u0080-\uffff]{3}/.test(small)) return true;
  open.push(new Set(fits));
  const base = small.normalize('NFD').replace(/\p{M}/gu, '');
  return VOWELS.test(base) || CONSONANTS.test(base);
}

/** How many languages have all words, each word in one of its own; the most frequent ones first. */
function leastCover(words: readonly Set<number>[]): number {
  let left = words;
  for (let count = 0; ; count += 1) {
    const [first] = left;
    if (!first) return count;
    const counts = new Map<number, number>();
    for (const fits of left) for (const each of fits) counts.set(each, (counts.get(each) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0];
    left = left.filter((fits) => !fits.has(best));
  }
}

/** What a text that is not in Unicode can be in. */
export const CANDIDATES: readonly Encoding[] = ENCODINGS.filter((name) => !name.startsWith('utf'));
