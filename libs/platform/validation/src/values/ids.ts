import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Random numbers for many ids at a time: the generator's own buffer holds eight, and filling it took 40 % of the time of an id. */
const buffer = new Uint32Array(1_024);
let next = buffer.length;
const generator = new V7Generator({
  nextUint32: () => {
    if (next === buffer.length) {
      randomFillSync(buffer);
      next = 0;
    }
    return buffer[next++] as number;
  },
});

/** A new id: UUID version 7, lower case. SQL's own is `uuid_v7()`. */
export const newId = (): string => generator.generate().toString();

/** The nil UUID: no id is less, and no row has it. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Whether the text is a UUID version 7 in lower case (docs/interface.md#conventions). */
export const isId = (text: unknown): text is string => typeof text === 'string' && UUID_V7.test(text);
