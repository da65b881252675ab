/**
 * Writes `sw.js`, the service worker of the installed web app, with the id of the build. A browser
 * that checks for a new version therefore finds one after any file of the build has changed.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const SOURCE = new URL('./serviceWorker.js', import.meta.url);

export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  generateBundle(_options, bundle) {
    const names = Object.keys(bundle).sort().join('\n');
    const build = createHash('sha256').update(names).digest('hex').slice(0, 12);
    const source = readFileSync(SOURCE, 'utf8').replace("'BUILD'", `'${build}'`);
    this.emitFile({ type: 'asset', fileName: 'sw.js', source });
  },
});
