/** A key derived from the content: the same rows sent twice within a day are imported once. */
export async function idempotencyKey(path: string, body: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(`${path}\n${JSON.stringify(body)}`);
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return `console/${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
