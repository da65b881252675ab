import { Mark } from '@tiptap/core';
import { ListItem } from '@tiptap/extension-list';
import StarterKit from '@tiptap/starter-kit';

/** A mark that is its tag and nothing else. */
const plainMark = (name: string, tag: string) =>
  Mark.create({
    name,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  });

/** Tab leaves the editor, as it leaves any other field; in a list it would go in deeper for ever. */
const Item = ListItem.extend({
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) };
  },
});

/**
 * All that the portal keeps in a comment (`RICH_TEXT_TAGS`), so that what came from elsewhere is
 * not lost when somebody edits it here; the toolbar offers the few that people need.
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
  plainMark('marked', 'mark'),
  plainMark('subscript', 'sub'),
  plainMark('superscript', 'sup'),
];
