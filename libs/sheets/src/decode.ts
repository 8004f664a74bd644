import { type Encoding, UnreadableSheet } from './sheet';

const REPLACEMENT = '\uFFFD';
/** What Windows-1252 leaves undefined. A text in another encoding, such as that of DOS, often has one of them. */
const UNDEFINED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** Two, three or four bytes that are one character in UTF-8, read as Windows-1252. */
const MULTIBYTE = /[\u00C3-\u00F4][\u0080-\u00BF\u0152-\u2122]/;

/**
 * Finds the encoding: by a byte order mark, by zero bytes (UTF-16), otherwise UTF-8 if all of it is valid, otherwise
 * Windows-1252. Never replaces a character.
 *
 * @throws UnreadableSheet if no encoding fits
 */
export function decode(bytes: Uint8Array, wanted?: Encoding): { text: string; encoding: Encoding } {
  const encoding = wanted ?? encodingOf(bytes);
  const text = tried(bytes, encoding);
  if (text === undefined) {
    throw new UnreadableSheet(
      'ENCODING',
      `The file is not ${encoding.toUpperCase()}. Choose another encoding.`,
    );
  }
  if (encoding === 'windows-1252' && bytes.some((byte) => UNDEFINED.includes(byte))) {
    throw new UnreadableSheet(
      'ENCODING',
      'The encoding is neither UTF-8 nor UTF-16 nor Windows-1252. Save the file as CSV UTF-8.',
    );
  }
  if (!wanted && encoding === 'windows-1252' && MULTIBYTE.test(text)) {
    throw new UnreadableSheet(
      'ENCODING',
      'One part of the file is UTF-8 and another is not. Save the file as CSV UTF-8, or choose the encoding.',
    );
  }
  return { text, encoding };
}

export const isDamaged = (text: string): boolean => text.includes(REPLACEMENT);

function encodingOf(bytes: Uint8Array): Encoding {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 4_096);
  const zeros = (odd: number) => start.filter((byte, at) => at % 2 === odd && byte === 0).length;
  if (zeros(1) > start.length / 5) return 'utf-16le';
  if (zeros(0) > start.length / 5) return 'utf-16be';
  return tried(bytes, 'utf-8') === undefined ? 'windows-1252' : 'utf-8';
}

/** The letters from 0x80 to 0x9f; a space where there is none. */
const WINDOWS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Some versions of Node decode Windows-1252 as Latin 1, which has no letters there. */
function ofWindows(bytes: Uint8Array): string {
  const latin = new TextDecoder('latin1');
  return latin
    .decode(bytes)
    .replace(/[\u0080-\u009f]/g, (letter) => WINDOWS[letter.charCodeAt(0) - 0x80] as string);
}

function tried(bytes: Uint8Array, encoding: Encoding): string | undefined {
  if (encoding === 'windows-1252') return ofWindows(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
