export { Claimed, claim } from './claim';
export {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres';
export { secretIn } from './secret-file';
