import { Mark } from '@tiptap/core';
import { ListItem } from '@tiptap/extension-list';
import StarterKit from '@tiptap/starter-kit';

import { findFontSize } from './fontSize';

/** A mark that consists only of its tag. */
const createMark = (name: string, tag: string) =>
  Mark.create({
    name,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  });

/** A list item without the Tab key, which then leaves the editor as it leaves any field. */
const Item = ListItem.extend({
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) };
  },
});

/** The font size of a text in points, one of `RICH_TEXT_FONT_SIZES_PT`. */
const FontSize = Mark.create({
  name: 'fontSize',
  addAttributes: () => ({ points: { default: null, renderHTML: () => ({}) } }),
  parseHTML: () => [
    {
      tag: 'span',
      getAttrs: (element) => {
        const points = findFontSize(element);
        return points !== undefined && { points };
      },
    },
  ],
  renderHTML: ({ mark }) => ['span', { style: `font-size: ${String(mark.attrs['points'])}pt` }, 0],
});

/**
 * Everything that the portal accepts in a comment (`RICH_TEXT_TAGS`), so that editing here keeps
 * content from elsewhere. The toolbar offers the few tools that users need.
 */
export const extensions = [
  StarterKit.configure({
    listItem: false,
    trailingNode: false,
    link: {
      autolink: false,
      linkOnPaste: false,
      openOnClick: false,
      HTMLAttributes: { target: null, rel: 'noopener noreferrer nofollow' },
    },
  }),
  Item,
  FontSize,
  createMark('marked', 'mark'),
  createMark('subscript', 'sub'),
  createMark('superscript', 'sup'),
];
