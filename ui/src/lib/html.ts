/** Returns the text of formatted text in one line. */
export function htmlToText(html: string): string {
  const spacedHtml = html.replaceAll(/<(?:br|\/p|\/li|\/h\d)[^>]*>/g, ' ');
  return new DOMParser().parseFromString(spacedHtml, 'text/html').body.textContent.trim();
}
