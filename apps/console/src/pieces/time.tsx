import { useTexts } from '../texts';
import { Dash } from './dash';

/** The browser's time zone, for times without an event. */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface TimeProps {
  at: string | null | undefined;
  /** The time zone of the event, for times of an event. */
  zone?: string;
  seconds?: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** One for all times of a list: a browser takes longer to make it than to render the row. */
function formatOf(locale: string, timeZone: string, seconds = false): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${seconds}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      ...(seconds && { second: '2-digit' }),
      timeZoneName: 'short',
    });
  formats.set(key, format);
  return format;
}

/** An instant in a time zone, with the zone. */
export function Time({ at, zone = HERE, seconds }: TimeProps) {
  const { locale } = useTexts();
  if (!at) return <Dash />;
  const date = new Date(at);
  const parts = formatOf(locale, zone, seconds).formatToParts(date);
  const text = (names: boolean) =>
    parts
      .filter(({ type }) => (type === 'timeZoneName') === names)
      .map(({ value }) => value)
      .join('');
  return (
    <time dateTime={at} title={`${at} (${zone})`}>
      {text(false).trim()} <span className="dim">{text(true)}</span>
    </time>
  );
}

/** How a day of a calendar, such as `2026-04-26`, is written. */
export function useDay(): (day: string) => string {
  const { locale } = useTexts();
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (day) => format.format(Date.parse(day));
}
