export { importCredits } from './credits.import';
export * from './credit-row.dto';
