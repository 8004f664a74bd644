/** What the thread that checks imports loads of this room. */
export * from './add-ons.import';
export * from './bookings.import';
export * from './line-items.import';
