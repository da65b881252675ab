import { HTMLSelect } from '@blueprintjs/core';
import { useEditorState, type Editor } from '@tiptap/react';

import { choices } from '../../contract';

const LEVELS = choices.RICH_TEXT_HEADER_LEVELS;
const SIZES = choices.RICH_TEXT_FONT_SIZES_PT;

/** Chooses the header level of a paragraph, and the font size of the selected text (P 9). */
export function TextStyles({ editor, label }: { editor: Editor; label: string }) {
  const { level, points } = useEditorState({
    editor,
    selector: ({ editor: latest }) => ({
      level: LEVELS.find((choice) => latest.isActive('heading', { level: choice })) ?? '',
      points: SIZES.find((size) => latest.isActive('fontSize', { points: size })) ?? '',
    }),
  });
  return (
    <>
      <HTMLSelect
        minimal
        aria-label={`${label} header`}
        title="Header"
        value={level}
        onChange={({ currentTarget }) => {
          const next = LEVELS.find((choice) => String(choice) === currentTarget.value);
          const change = editor.chain().focus();
          if (next === undefined) change.setParagraph().run();
          else change.setHeading({ level: next }).run();
        }}
      >
        <option value="">Text</option>
        {LEVELS.map((choice) => (
          <option key={choice} value={choice}>
            Header {choice}
          </option>
        ))}
      </HTMLSelect>
      <HTMLSelect
        minimal
        aria-label={`${label} font size`}
        title="Font size"
        value={points}
        onChange={({ currentTarget }) => {
          const change = editor.chain().focus();
          if (currentTarget.value === '') change.unsetMark('fontSize').run();
          else change.setMark('fontSize', { points: Number(currentTarget.value) }).run();
        }}
      >
        <option value="">Size</option>
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {size} pt
          </option>
        ))}
      </HTMLSelect>
    </>
  );
}
