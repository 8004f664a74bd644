const EVERY_MS = 1_000;

const version = async (): Promise<string | null> =>
  (await fetch('/console', { method: 'HEAD', cache: 'no-store' })).headers.get('etag');

/** During development: loads the page again after each build, also after the api was away. */
export async function reloadAfterBuild(): Promise<void> {
  const before = await version();
  setInterval(async () => {
    const now = await version().catch(() => null);
    if (now && before && now !== before) location.reload();
  }, EVERY_MS);
}
