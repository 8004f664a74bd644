import type { Draft } from './draft';

/** What was typed and not saved, in this browser: it outlives a lost connection, a lost session and a closed tab. */

interface StoredDraft extends Draft {
  typedAt: string;
}

const nameOf = (member: string, event: string) => `startline.draft.${member}.${event}`;

export function storedDraft(member: string, event: string): StoredDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(member, event)) ?? 'null');
    return (stored as StoredDraft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether it is stored: the browser may have no room */
export function storeDraft(member: string, event: string, draft: Draft): boolean {
  try {
    const stored: StoredDraft = { ...draft, typedAt: new Date().toISOString() };
    localStorage.setItem(nameOf(member, event), JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}

export const dropDraft = (member: string, event: string): void =>
  localStorage.removeItem(nameOf(member, event));
