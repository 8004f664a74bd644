import type { ImportSurface } from './definitions';

/** The names of a surface's operations. */
export function importOperations(surface: ImportSurface) {
  const name = surface.replace(/Import$/, '').replace(/^./, (first) => first.toUpperCase());
  return {
    create: `import${name}`,
    replace: `replace${name}`,
    correct: `correct${name}`,
    read: `get${name}Import`,
  };
}
