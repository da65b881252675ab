/** The portal keeps comments as HTML; this form shows and sends their words. */

const LINE_ENDERS = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, pre';

/** The words of a comment, a line for each block. */
export function textOfComments(html: string | null): string {
  if (html === null) return '';
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const br of body.querySelectorAll('br')) br.replaceWith('\n');
  for (const block of body.querySelectorAll(LINE_ENDERS)) block.append('\n');
  return body.textContent.replace(/\n{3,}/g, '\n\n').trimEnd();
}

/** Typed words as a comment: nothing in them is taken for markup. */
export const commentsOfText = (text: string): string | null =>
  text.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') || null;
