/**
 * Every setting of every process: declared once, read from the environment and checked at start.
 *
 *   const settings = loadSettings();            // throws one readable error that names every bad variable
 *   ConfigModule.of(settings)                   // in an app's root module; then
 *   constructor(@Inject(SETTINGS) private readonly settings: Settings) {}
 *
 * `.env.example` and `docs/configuration.md` are written from the same declarations by `npm run settings`.
 */
export { ALLOCATOR } from './allocator';
export { ConfigModule, SETTINGS } from './config.module';
export { configurationReference } from './configuration-reference';
export { type DatabaseServers, databaseServers } from './database-url';
export { envExample } from './env-example';
export { misspeltSettings } from './misspelt';
export { ownProgram } from './own-program';
export { releaseFolder, releaseVersion } from './release';
export { MOST_SESSION_HOURS } from './sections/staff';
export { loadEnvFile, loadSettings, type Settings } from './settings';
export { SettingsError } from './settings-error';

/** The argument of a process whose parent sends its settings when it may start; until then, it loads its modules. */
export const AWAITS_SETTINGS = '--awaits-settings';

export { QUEUES } from './validators';
