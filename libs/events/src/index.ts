/**
 * What events look like in answers, for the organizer's routes and the marketplace's: shapes, and their SQL.
 *
 *   select: `${occurrenceSummary('t')}, ${raceSummaries('t')} AS "races"`
 *   select: (values, bind) => `${checkoutUrl('t', bind(values.checkoutTemplate))} AS "checkoutUrl"`
 *   reads.one(OCCURRENCE, caller, id, { checkoutTemplate: checkoutLinks.template() })
 *
 * `CheckoutLinks` is a provider; any module may list it.
 */
export { CheckoutLinks, checkoutUrl, DEFAULT_COUNTRY } from './checkout-url';
export { country } from './country';
export { Course } from './course.dto';
export { LAST_MODIFIED_FILTERS, START_DATE_FILTERS } from './filters';
export * from './shapes.dto';
export * from './sql';
