import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { themeStyles } from './build/theme-styles.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [themeStyles()],
  resolve: {
    alias: {
      // The build for browsers, which needs no module of Node.
      'csv-parse/sync': 'csv-parse/browser/esm/sync',
    },
  },
  build: {
    outDir: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy permits no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    // Ignores the "use client" directive in every module of Mantine, which has no effect here.
    // Pages load of these libraries only what they use, so that files are recognised and parsed by the page that reads them.
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [
          { test: /\/(libs\/(sheets|client)|console\/src\/(pieces|session))\//, sideEffects: false },
        ],
      },
      checks: { moduleLevelDirective: false },
      onLog: () => {},
    },
  },
});
