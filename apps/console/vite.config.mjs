import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { themeStyles } from './build/theme-styles.mjs';

/** The API that `npm run dev:console` uses. */
const API = process.env.STARTLINE_URL ?? 'http://127.0.0.1:3000';

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
  server: { port: 5173, proxy: { '/console/v1': API, '/v0': API, '/openapi.json': API } },
});
