export const LOCALE = 'de-DE';
export const number = (count: number) => count.toLocaleString(LOCALE);
export const counted = (count: number, one: string, many: string) =>
  count === 1 ? one : many.replace('#', number(count));
export const rows = (count: number) => counted(count, '1 Zeile', '# Zeilen');
export const bookings = (count: number) => counted(count, '1 Buchung', '# Buchungen');
