import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { blueprintCss } from './scripts/blueprintCss.ts';
import { slowest } from './scripts/slowest.ts';

/** Where the portal (or a desktop sidecar) answers while the UI is being developed. */
const origin = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8000';
const relayed = ['/api', '/auth', '/capabilities', '/health', '/device'];

export default defineConfig({
  plugins: [react(), blueprintCss()],
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(relayed.map((path) => [path, { target: origin }])),
  },
  preview: { host: '127.0.0.1' },
  build: {
    target: 'es2022',
    // The content security policy allows no inlined data beyond small images.
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 900,
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test/setup.ts'],
    css: false,
    restoreMocks: true,
    reporters: ['default', slowest],
    // Blueprint and the components are loaded once a worker, not once a file.
    isolate: false,
    // A test waits for what it says, not for a time; a busy machine may take long over it.
    testTimeout: 90_000,
  },
});
