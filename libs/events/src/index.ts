/**
 * What events look like in answers, for the organizer's routes and the marketplace's: shapes, and their SQL.
 *
 *   select: `${occurrenceSummary('t')}, ${raceSummaries('t')} AS "races"`
 */
export { type CheckoutTemplates, checkoutTemplates, checkoutUrl } from './checkout-url';
export * from './shapes.dto';
export * from './sql';
