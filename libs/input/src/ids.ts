import { uuidv7 } from 'uuidv7';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A new id: UUID version 7, lower case. SQL's own is `uuid_v7()`. */
export const newId = (): string => uuidv7();

/** Whether the text is a UUID version 7 in lower case (docs/interface.md#conventions). */
export const isId = (text: unknown): text is string => typeof text === 'string' && UUID_V7.test(text);
