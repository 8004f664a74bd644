import { CANDIDATES, decoded, type Reading, readingOf } from './encodings';
import { type Encoding, type Notice, UnreadableSheet } from './sheet';

const REPLACEMENT = '\uFFFD';
const UTF8_MARK = [0xef, 0xbb, 0xbf];
/** The different words from which the encoding is recognised, and those by which most are ruled out. */
const MOST_WORDS = 20_000;
const SAMPLE = 200;
/** The words that a person sees in each reading. */
const SHOWN = 3;

interface Decoded {
  text: string;
  encoding: Encoding;
  notices: Notice[];
}

/**
 * Finds the encoding: by a byte order mark, by zero bytes (UTF-16), otherwise UTF-8 if all of it is valid. Otherwise by the letters that
 * each encoding gives in words; if several are plausible, a notice has the words in each. Never replaces a character.
 *
 * @throws UnreadableSheet if no encoding fits
 */
export function decode(bytes: Uint8Array, wanted?: Encoding): Decoded {
  const unicode = wanted ?? unicodeOf(bytes);
  if (!unicode) return judged(bytes);
  const text = decoded(bytes, unicode);
  const isMarked = UTF8_MARK.every((byte, at) => bytes[at] === byte);
  if (
    text === undefined ||
    (isMarked && !unicode.startsWith('utf-8')) ||
    (unicode !== 'utf-8' && text.includes('\0')) ||
    (CANDIDATES.includes(unicode) && /[\x80-\x9f]/.test(text))
  ) {
    const message = `The file is not ${unicode.toUpperCase()}. Choose another encoding.`;
    throw new UnreadableSheet('ENCODING', message);
  }
  return { text, encoding: unicode, notices: wanted || unicode !== 'utf-8' ? [] : twice(text, bytes) };
}

export const isDamaged = (text: string): boolean => text.includes(REPLACEMENT);

function unicodeOf(bytes: Uint8Array): Encoding | undefined {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 4_096);
  const zeros = (odd: number) => start.filter((byte, at) => at % 2 === odd && byte === 0).length;
  if (zeros(1) > start.length / 5) return 'utf-16le';
  if (zeros(0) > start.length / 5) return 'utf-16be';
  return decoded(bytes, 'utf-8') === undefined ? undefined : 'utf-8';
}

function judged(bytes: Uint8Array): Decoded {
  const tokens = tokensOf(bytes);
  const sampled = readings(tokens.slice(0, SAMPLE), CANDIDATES);
  const all = readings(
    tokens,
    sampled.map(({ encoding }) => encoding),
  );
  const [best] = all;
  if (!best || best.faults > tokens.length / 2) {
    const message = 'The encoding is not known: none gives words. Save the file as CSV UTF-8.';
    throw new UnreadableSheet('ENCODING', message);
  }
  const isMixed = tokens.some((token, at) => best.faulty[at] && readingOf([token], 'utf-8'));
  if (isMixed) {
    const message =
      'One part of the file is UTF-8 and another is not. Save the file as CSV UTF-8, or choose the encoding.';
    throw new UnreadableSheet('ENCODING', message);
  }
  const plausible = all.filter(({ languages }) => languages < best.languages + 2);
  const text = decoded(bytes, best.encoding) ?? '';
  const isCertain = plausible.length === 1 && best.faults <= tokens.length / 10;
  return { text, encoding: best.encoding, notices: isCertain ? [] : [question(plausible)] };
}

/** The plausible readings, the best one first, and of those with the same text one. */
function readings(tokens: readonly string[], candidates: readonly Encoding[]): Reading[] {
  const all = candidates.flatMap((encoding) => readingOf(tokens, encoding) ?? []);
  all.sort((a, b) => a.faults - b.faults || a.languages - b.languages);
  const limit = 2 * (all[0]?.faults ?? 0);
  const texts = new Set<string>();
  return all.filter(({ words, faults }) => {
    const text = words.join('\n');
    const isNew = faults <= limit && !texts.has(text);
    texts.add(text);
    return isNew;
  });
}

function question(plausible: readonly Reading[]): Notice {
  const differs = (at: number) => new Set(plausible.map(({ words }) => words[at])).size;
  const places = [...(plausible[0]?.words.keys() ?? [])].sort((a, b) => differs(b) - differs(a));
  const shown = plausible.map(({ encoding, words }) => ({
    value: encoding as string,
    words: places.slice(0, SHOWN).map((at) => words[at] ?? ''),
  }));
  const message = 'The encoding is not certain. Choose the one in which the words are right.';
  return { code: 'ENCODING', message, readings: shown };
}

/** UTF-8 that was read in another encoding and saved again, such as `JÃ¼rgen`. */
function twice(text: string, bytes: Uint8Array): Notice[] {
  const repaired = decoded(bytes, 'utf-8-twice') ?? text;
  if (repaired === text) return [];
  const [before, after] = [text, repaired].map((each) => each.split(/[\s,;"|]+/));
  const words = before?.map((word, at): [string, string] => [word, after?.[at] ?? '']) ?? [];
  const changed = [...new Map(words.filter(([a, b]) => a !== b))].slice(0, SHOWN);
  const shown = [
    { value: 'utf-8-twice', words: changed.map(([, word]) => word) },
    { value: 'utf-8', words: changed.map(([word]) => word) },
  ];
  const message =
    'Letters were decoded twice before the file was saved. Choose the encoding in which the words are right.';
  return [{ code: 'ENCODING', message, readings: shown }];
}

/** The different words with a byte above 0x7f, a character for each byte. What separates words is in no encoding a part of a letter. */
function tokensOf(bytes: Uint8Array): string[] {
  const tokens = new Set<string>();
  let [start, isOwn] = [0, false];
  for (let at = 0; at <= bytes.length && tokens.size < MOST_WORDS; at += 1) {
    const byte = bytes[at] ?? 0x0a;
    if (byte >= 0x40 || (byte >= 0x30 && byte <= 0x39)) {
      isOwn ||= byte > 0x7f;
      continue;
    }
    if (isOwn) tokens.add(String.fromCharCode(...bytes.subarray(start, Math.min(at, start + 1_000))));
    [start, isOwn] = [at + 1, false];
  }
  return [...tokens];
}
