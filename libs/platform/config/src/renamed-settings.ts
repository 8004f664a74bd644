/** Former names of settings. A former name is read for one release, if the new one is not set. */
export const RENAMED_SETTINGS: Readonly<Record<string, string>> = {
  HORIZON_MS: 'WATERMARK_MS',
  UPKEEP_MS: 'MAINTENANCE_MS',
  IMPORT_ENDS_LIMIT: 'IMPORT_CRASH_LIMIT',
  IMPORT_ALONE_MS: 'IMPORT_ISOLATED_MS',
  IMPORT_ALONE_MB: 'IMPORT_ISOLATED_MB',
};

export function withNewNames(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const renamed = { ...given };
  for (const [former, name] of Object.entries(RENAMED_SETTINGS)) renamed[name] ??= given[former];
  return renamed;
}
