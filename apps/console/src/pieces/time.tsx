import { useLanguage } from '../texts';

const LOCALES = { en: 'en-GB', de: 'de-DE' };

/** The browser's time zone, for times without an event. */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface TimeProps {
  at: string | null | undefined;
  /** The time zone of the event, for times of an event. */
  zone?: string;
  seconds?: boolean;
}

/** An instant in a time zone, with the zone. */
export function Time({ at, zone = HERE, seconds }: TimeProps) {
  const { language } = useLanguage();
  if (!at) return <span className="dim">–</span>;
  const date = new Date(at);
  const parts = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
    timeZoneName: 'short',
  }).formatToParts(date);
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
