/**
 * Moves the build's style sheet after the frame in `index.html`, so that a browser shows the frame
 * without waiting for the styles. Scripts still wait for the style sheet, so that no screen is
 * drawn without styles.
 */
import type { Plugin } from 'vite';

const STYLES = /\s*<link rel="stylesheet"[^>]* href="\/assets\/[^>]*>/g;

export const lateStyles = (): Plugin => ({
  name: 'late-styles',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const links = html.match(STYLES) ?? [];
      return html.replaceAll(STYLES, '').replace('</body>', `${links.join('')}\n  </body>`);
    },
  },
});
