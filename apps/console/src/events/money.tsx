import type { OccurrenceOverview } from '../api';
import { useTexts } from '../texts';

type Price = OccurrenceOverview['tickets'][number]['price'];

/** An amount in its currency. */
export function Money({ price: { value, currencyCode } }: { price: Price }) {
  const { events, locale } = useTexts();
  if (currencyCode === 'ZERO') return events.free;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currencyCode });
  return format.format(value / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
