import { Mark } from '@tiptap/core';
import { ListItem } from '@tiptap/extension-list';
import StarterKit from '@tiptap/starter-kit';

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
  createMark('marked', 'mark'),
  createMark('subscript', 'sub'),
  createMark('superscript', 'sup'),
];
