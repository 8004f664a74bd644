/** What the thread that checks imports loads of this room. */
export * from './discount-codes.import';
