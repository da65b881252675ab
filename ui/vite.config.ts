import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { blueprintCss } from './scripts/blueprintCss.ts';
import { codeSplitting, removeIconSet } from './scripts/chunks.ts';
import { lateStyles } from './scripts/lateStyles.ts';
import { oldBrowser } from './scripts/oldBrowser.ts';
import { serviceWorker } from './scripts/serviceWorker.ts';
import { slowest } from './scripts/slowest.ts';

/** The portal (or a desktop sidecar) to use during development. */
const origin = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8000';
const proxiedPaths = ['/api', '/auth', '/capabilities', '/health', '/device'];

export default defineConfig({
  plugins: [react(), removeIconSet(), blueprintCss(), lateStyles(), oldBrowser(), serviceWorker()],
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(proxiedPaths.map((path) => [path, { target: origin }])),
  },
  preview: { host: '127.0.0.1' },
  build: {
    target: 'es2022',
    // The content security policy allows inlined data only for small images.
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { codeSplitting } },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test/setup.ts'],
    css: false,
    restoreMocks: true,
    reporters: ['default', slowest],
    // Load Blueprint and the components once per worker, not once per file.
    isolate: false,
    // Tests wait for conditions, not for times, and a busy machine may take long.
    testTimeout: 90_000,
  },
});
