import probe from './probe.woff2';
import typeface from './typeface.css?url';

/** The characters that Inter lacks and the slices have. */
const RANGE = 'U+2E80-D7FF, U+F900-FAFF, U+FE30-FE4F, U+FF00-FFEF';

/**
 * Loads the list of slices once the page draws a Han, Hangul, or Kana character that no system font
 * in `app.css` has. Until then, the only typeface for such characters is an empty probe: the
 * browser loads it at that moment. With the list, the browser loads the slices that it needs.
 */
export function loadEastAsianOnDemand(page: Document = document): void {
  const face = new FontFace('Portal East Asian', `url(${probe})`, {
    unicodeRange: RANGE,
    display: 'swap',
  });
  page.fonts.add(face);
  const replaceBySlices = () => {
    page.fonts.delete(face);
    const link = page.createElement('link');
    link.rel = 'stylesheet';
    link.href = typeface;
    page.head.append(link);
  };
  void face.loaded.then(replaceBySlices, () => undefined);
}
