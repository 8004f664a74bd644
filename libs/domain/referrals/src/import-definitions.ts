/** What the thread that checks imports loads of this room. */
export * from './referrals.import';
