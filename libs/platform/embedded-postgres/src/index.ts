/**
 * The PostgreSQL of npm, for one machine: it keeps its data, its secrets and its claim in a home directory. Does not load
 * #platform/database, so that `npm start` starts it, and the api, early.
 *
 *   const server = await startEmbeddedPostgres({ home });
 *   await migrate(server.url);
 *   await server.stop();
 */
export { Claimed, claim, heldBy } from './claim';
export { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';
export { secretIn } from './secret-file';
