/**
 * Writes `old-browser.js`, which says why nothing appears on browsers that cannot run the portal.
 * It is written in the oldest JavaScript, because such browsers skip the portal's own scripts.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

import { messages } from '../src/contract/messages.generated.ts';

const SOURCE = new URL('./oldBrowser.js', import.meta.url);

export const fillInMessage = (script: string): string =>
  script.replace("'OLD_BROWSER'", JSON.stringify(messages.OLD_BROWSER));

export const oldBrowser = (): Plugin => ({
  name: 'old-browser',
  apply: 'build',
  generateBundle() {
    const source = fillInMessage(readFileSync(SOURCE, 'utf8'));
    this.emitFile({ type: 'asset', fileName: 'old-browser.js', source });
  },
  transformIndexHtml: () => [
    { tag: 'script', attrs: { src: '/old-browser.js' }, injectTo: 'body' },
  ],
});
