/** What the thread that checks imports loads of this library. */
export * from './credits.import';
