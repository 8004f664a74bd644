import type { format as Render } from 'numfmt';
import type { Cell } from './sheet';

/** The built-in formats that show more than a plain number. */
const BUILT_IN: Record<string, string> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00' },
  ...{ 12: '# ?/?', 13: '# ??/??', 14: 'yyyy-mm-dd', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy' },
  ...{ 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss', 22: 'yyyy-mm-dd h:mm' },
  ...{ 37: '#,##0', 38: '#,##0', 39: '#,##0.00', 40: '#,##0.00' },
  ...{ 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0' },
};
/** Dates in the formats of Chinese, Japanese, Korean and Thai spreadsheets. */
const isEastern = (id: number) => (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58) || id === 71;

const LITERAL = /"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]|am\/pm|a\/p/gi;
/** What is shown of a day: day, month and year, or some of these. */
type Days = 'day' | 'part' | 'none';

/** How a cell shows its number. */
export type NumberFormat = (value: number, from1904: boolean) => Shown;
export interface Shown {
  cell: Cell;
  /** What a person saw. */
  text?: string;
  isDate?: true;
}

/** Whether the module that renders formats is needed for one. */
export const isPlain = (code: string): boolean => code === '' || /^(General|@)$/i.test(code);

/** The code of a format; empty if it is the general one. */
export const formatCode = (id: string, own: string | undefined): string =>
  own ?? BUILT_IN[id] ?? (isEastern(Number(id)) ? 'yyyy-mm-dd' : '');

/**
 * What a cell of a format shows. Numbers, days, times and amounts have one form, whatever the language of the format, and the text that a
 * person saw beside it, for columns of texts; all else is that text.
 */
export function numberFormat(code: string, render: typeof Render): NumberFormat {
  const [section = ''] = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const bare = section.replace(LITERAL, '');
  const shown = (value: number) => {
    try {
      return render(code, value, { nbsp: false }).trim();
    } catch {
      return String(value);
    }
  };
  // The sign between thousands is that of a language.
  const both = (cell: Cell, value: number) => ({ cell, text: shown(value).replaceAll(',', '') });
  if (/[ydhsm]/i.test(bare) && !/general/i.test(bare)) {
    const elapsed = /\[(h+|m+|s+)\]/i.test(bare);
    const hasTime = elapsed || /[hs]/i.test(bare);
    const days = daysIn(bare, hasTime);
    return (value, from1904) => {
      if (elapsed || (days === 'none' && (value < 0 || bare.includes('.')))) return { cell: shown(value) };
      if (days === 'none') return both(instantOf(value % 1).slice(11), value);
      const serial = from1904 ? value + 1_462 : value;
      if (serial < 1 || serial >= 2_958_466) return { cell: value };
      const text = shown(serial);
      // A date that was typed without its day or its year has one that nobody meant.
      if (days === 'part') return { cell: text, text, ...(/[dm]/i.test(bare) && { isDate: true }) };
      const instant = instantOf(hasTime ? serial : Math.floor(serial));
      return { cell: instant.replace(/T00:00:00$/, ''), text, isDate: true };
    };
  }
  const decimals = /\.([0#?]*)/.exec(bare)?.[1]?.length ?? 0;
  const isScaled = /[0#?],+(?![0#?,])/.test(bare) || /\[[<>=]/.test(code);
  const sign = /[€£$₹₱]/.exec(bare)?.[0] ?? signIn(section);
  if (sign && /[0#]/.test(bare) && !isScaled)
    return (value) => both(`${rounded(value, decimals).toFixed(Math.max(decimals, 2))} ${sign}`, value);
  const digits = section.replace(/_.|\*.|\\ |\[[^\]$]*\]/g, '').trim();
  if (/^(?!0{2}|0 0)[#0?,. ]+%?$/.test(digits) && !isScaled)
    return (value) => {
      const cell = digits.endsWith('%') ? `${rounded(value * 100, decimals)} %` : rounded(value, decimals);
      return code === '0' ? { cell } : both(cell, value);
    };
  return (value) => ({ cell: shown(value) });
}

/** As spreadsheets round: 1.005 is 1.01. */
const rounded = (value: number, decimals: number): number => {
  const number = Number(`${Number(Math.abs(value).toPrecision(15))}e${decimals}`);
  return Number.isFinite(number) ? Math.sign(value) * Number(`${Math.round(number)}e-${decimals}`) : value;
};

/** The currency in brackets, as in `[$€-407]` or `[$EUR]`, or in quotation marks. */
const signIn = (section: string) =>
  /\[\$([^\]-]+)/.exec(section)?.[1]?.trim() ??
  /"\s*([€£$₹₱]|EUR|GBP|USD|AUD|CAD|DKK|INR|MXN|PHP)\s*"/.exec(section)?.[1];

function daysIn(bare: string, hasTime: boolean): Days {
  // Years of eras are e and b. In a format with hours or seconds, `m` may be minutes.
  const shows = [/d/i, /m/i, /[yeb]/i].map((part) => part.test(bare));
  if (shows.every(Boolean)) return 'day';
  return shows[0] || shows[2] || (shows[1] && !hasTime) ? 'part' : 'none';
}

/** The day and time of a serial number, of which 60 is a day that did not exist. */
function instantOf(serial: number): string {
  const days = serial >= 1 && serial < 60 ? serial + 1 : serial;
  const seconds = Math.round(days * 86_400);
  return new Date(Date.UTC(1899, 11, 30) + seconds * 1_000).toISOString().slice(0, 19);
}
