import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { themeStyles } from './build/theme-styles.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [themeStyles()],
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
    rolldownOptions: { checks: { moduleLevelDirective: false }, onLog: () => {} },
  },
});
