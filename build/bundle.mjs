import { build } from 'vite';

/**
 * Bundles a module with the packages that it uses into one file.
 *
 * @param entry the module
 * @param folder where `<name>.js` is written; its other files stay
 * @param format `cjs` for Node, `es` for browsers
 */
export async function bundle({ entry, folder, name, format }) {
  await build({
    ...{ configFile: false, publicDir: false, logLevel: 'warn', ssr: { noExternal: true } },
    build: {
      ...{ ssr: entry, outDir: folder, emptyOutDir: false, minify: true, target: 'es2022' },
      rolldownOptions: { output: { format, entryFileNames: `${name}.js` } },
    },
  });
}
