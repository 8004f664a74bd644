export {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres';
