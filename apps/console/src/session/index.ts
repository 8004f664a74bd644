export * from './session';
export * from './use-change';
export * from './use-get';
