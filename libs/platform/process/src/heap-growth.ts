import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage when the heap, including buffers, has grown by so many percent since the last collection. By
 * default, V8 chooses by the speed of allocation: too early for the buffers of a few large bodies, and late under load
 * (docs/decisions/operations-and-tests.md).
 *
 * @param percent 0 lets V8 choose
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
