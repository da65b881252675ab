/**
 * Conversion of comments. The portal stores them as HTML with a few tags, which the editor uses
 * too.
 */

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Converts typed text to HTML paragraphs; markup in it is escaped. */
export const textToHtml = (text: string): string =>
  text.trim() === '' ? '' : `<p>${escapeHtml(text.trimEnd()).replaceAll('\n', '<br>')}</p>`;

/**
 * Converts a stored comment to HTML for the editor. A comment without tags is plain text with `<`,
 * `>` and `&` as entities; its line breaks are kept.
 */
export function commentsToHtml(comments: string | null): string {
  if (comments === null || /<[a-z]/i.test(comments)) return comments ?? '';
  return comments.includes('\n') ? `<p>${comments.replaceAll('\n', '<br>')}</p>` : comments;
}
