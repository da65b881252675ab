const LABEL_WIDTH = '2in';
const LABEL_HEIGHT = '1in';

/** Prints label pictures with the browser's own dialog, one label of 2 x 1 inch to a page. */
export function printPictures(images: readonly string[]): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Labels to print';
  document.body.append(frame);
  const page = frame.contentDocument;
  if (page === null) return;
  // Rules through the CSSOM: the content security policy forbids inline style elements.
  const sheet = new (frame.contentWindow as unknown as typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(
    `@page { size: ${LABEL_WIDTH} ${LABEL_HEIGHT}; margin: 0 } body { margin: 0 } ` +
      `img { display: block; width: ${LABEL_WIDTH}; height: ${LABEL_HEIGHT}; break-after: page }`,
  );
  page.adoptedStyleSheets = [sheet];
  const pictures = images.map((image) => {
    const picture = page.createElement('img');
    picture.src = `data:image/png;base64,${image}`;
    page.body.append(picture);
    return picture.decode();
  });
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove());
  void Promise.all(pictures).then(() => frame.contentWindow?.print());
}
