import { choices } from '../../contract';

/** Returns the font size of a `span` in points; undefined for any but those offered (P 9). */
export function findFontSize(element: Element): number | undefined {
  const style = element.getAttribute('style') ?? '';
  const points = Number(/^font-size: (\d+)pt;?$/.exec(style)?.[1]);
  return choices.RICH_TEXT_FONT_SIZES_PT.find((size) => size === points);
}
