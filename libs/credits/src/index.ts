export * from './credit-row.dto';
export { importCredits } from './credits.import';
