export * from './read-all';
export * from './session';
export * from './use-change';
export * from './use-get';
