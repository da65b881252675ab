/**
 * Joins modules that many screens need into few files. On a slow connection, each file costs a
 * round trip and headers, and small files compress worse.
 */
import type { Plugin, Rolldown } from 'vite';

/**
 * The joined files, and the modules in each. They import no module of a screen, so no two files
 * depend on each other.
 */
export const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    // What the first page needs. Libraries change less often than our own modules.
    { name: 'library', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 4 },
    { name: 'start', tags: ['$initial'], priority: 3 },
    { name: 'icons', test: /[\\/]@blueprintjs[\\/]icons[\\/]/, priority: 2 },
    { name: 'basics', test: /[\\/]src[\\/](?:api|contract|lib)[\\/]/, priority: 1 },
  ],
};

const LOADERS = /[\\/]@blueprintjs[\\/]icons[\\/].*[\\/]paths-loaders[\\/](\w+)\.js$/;

/** Empties the modules of Blueprint that load icons by name, because nothing uses them. */
export const removeIconSet = (): Plugin => ({
  name: 'without-icon-set',
  enforce: 'pre',
  load(id) {
    const loader = LOADERS.exec(id)?.[1];
    return loader === undefined ? null : `export const ${loader} = () => Promise.resolve([]);`;
  },
});
