/** Settings are missing or invalid. The message names them and the permitted values, so the stack is not printed. */
export class SettingsError extends Error {}
