/** What the thread that checks imports loads of this library. */
export * from './add-ons.import';
export * from './bookings.import';
export * from './line-items.import';
