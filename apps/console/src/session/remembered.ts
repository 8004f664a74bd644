/** An organization that this browser is signed in to. The session itself is a cookie, which scripts cannot read. */
export interface Remembered {
  id: string;
  slug: string;
  name: string;
}

const STORED = 'startline.organizations';

/** Most recently used first. */
export function rememberedOrganizations(): Remembered[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

const others = (id: string) => rememberedOrganizations().filter((each) => each.id !== id);
const store = (organizations: Remembered[]) => localStorage.setItem(STORED, JSON.stringify(organizations));

export const remember = ({ id, slug, name }: Remembered): void => store([{ id, slug, name }, ...others(id)]);
export const forget = (id: string): void => store(others(id));
