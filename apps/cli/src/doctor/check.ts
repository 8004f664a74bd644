/** The result of a check. */
export interface Finding {
  name: string;
  ok: boolean;
  /** What the check found. */
  message: string;
  /** How to fix it, if the check failed. */
  advice?: string;
}

export const passed = (name: string, message: string): Finding => ({ name, ok: true, message });
export const failed = (name: string, message: string, advice: string): Finding => ({
  name,
  ok: false,
  message,
  advice,
});
