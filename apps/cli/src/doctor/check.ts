/** What a check found. */
export interface Finding {
  name: string;
  ok: boolean;
  /** What is so. */
  message: string;
  /** What to do about it, where it isn't well. */
  advice?: string;
}

export const well = (name: string, message: string): Finding => ({ name, ok: true, message });
export const unwell = (name: string, message: string, advice: string): Finding => ({
  name,
  ok: false,
  message,
  advice,
});
