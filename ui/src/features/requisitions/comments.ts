/** The portal keeps comments as HTML of a few tags; the editor takes and gives the same. */

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Typed words as paragraphs: nothing in them is taken for markup. */
export const richOfText = (text: string): string =>
  text.trim() === '' ? '' : `<p>${escaped(text.trimEnd()).replaceAll('\n', '<br>')}</p>`;

/**
 * A comment as the editor takes it. One without tags is plain words, its `<`, `>` and `&` as
 * entities; its lines stay lines.
 */
export function richOfComments(comments: string | null): string {
  if (comments === null || /<[a-z]/i.test(comments)) return comments ?? '';
  return comments.includes('\n') ? `<p>${comments.replaceAll('\n', '<br>')}</p>` : comments;
}
