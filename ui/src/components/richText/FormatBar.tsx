import { Button } from '@blueprintjs/core';
import { useEditorState, type Editor } from '@tiptap/react';
import { useRef, useState, type JSX, type KeyboardEvent } from 'react';

import {
  BoldIcon,
  ItalicIcon,
  NumberedListIcon,
  PropertiesIcon,
  RedoIcon,
  UnderlineIcon,
  UndoIcon,
} from '../icons';
import styles from './richText.module.css';

interface Tool {
  label: string;
  keys: string;
  icon: JSX.Element;
  run: (editor: Editor) => void;
  /** Whether the tool is on at the cursor, if it can be on or off. */
  isActive?: (editor: Editor) => boolean;
  isEnabled?: (editor: Editor) => boolean;
}

const tools: readonly Tool[] = [
  {
    label: 'Bold',
    keys: 'Ctrl+B',
    icon: <BoldIcon />,
    run: (editor) => editor.chain().focus().toggleBold().run(),
    isActive: (editor) => editor.isActive('bold'),
  },
  {
    label: 'Italic',
    keys: 'Ctrl+I',
    icon: <ItalicIcon />,
    run: (editor) => editor.chain().focus().toggleItalic().run(),
    isActive: (editor) => editor.isActive('italic'),
  },
  {
    label: 'Underline',
    keys: 'Ctrl+U',
    icon: <UnderlineIcon />,
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
    isActive: (editor) => editor.isActive('underline'),
  },
  {
    label: 'Bulleted list',
    keys: 'Ctrl+Shift+8',
    icon: <PropertiesIcon />,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isActive: (editor) => editor.isActive('bulletList'),
  },
  {
    label: 'Numbered list',
    keys: 'Ctrl+Shift+7',
    icon: <NumberedListIcon />,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    isActive: (editor) => editor.isActive('orderedList'),
  },
  {
    label: 'Undo',
    keys: 'Ctrl+Z',
    icon: <UndoIcon />,
    run: (editor) => editor.chain().focus().undo().run(),
    isEnabled: (editor) => editor.can().undo(),
  },
  {
    label: 'Redo',
    keys: 'Ctrl+Y',
    icon: <RedoIcon />,
    run: (editor) => editor.chain().focus().redo().run(),
    isEnabled: (editor) => editor.can().redo(),
  },
];

/** The formatting toolbar: one tab stop, arrow keys within (WAI-ARIA toolbar). */
export function FormatBar({ editor, label }: { editor: Editor; label: string }) {
  const bar = useRef<HTMLDivElement>(null);
  const [focusedIndex, setFocusedIndex] = useState(0);
  const states = useEditorState({
    editor,
    selector: ({ editor: latest }) =>
      tools.map(({ isActive, isEnabled }) => ({
        isActive: isActive?.(latest),
        isEnabled: isEnabled?.(latest) ?? true,
      })),
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (focusedIndex + 1) % tools.length,
      ArrowLeft: (focusedIndex + tools.length - 1) % tools.length,
      Home: 0,
      End: tools.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setFocusedIndex(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={`${label} formatting`}
      className={styles['tools']}
      onKeyDown={onKeyDown}
    >
      {tools.map((tool, index) => (
        <Button
          key={tool.label}
          size="small"
          variant="minimal"
          icon={tool.icon}
          title={`${tool.label} (${tool.keys})`}
          aria-label={tool.label}
          aria-pressed={states[index]?.isActive}
          // Unlike `disabled`, this keeps the button reachable by the arrow keys.
          aria-disabled={states[index]?.isEnabled === false}
          active={states[index]?.isActive ?? false}
          tabIndex={index === focusedIndex ? 0 : -1}
          onFocus={() => setFocusedIndex(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => tool.run(editor)}
        />
      ))}
    </div>
  );
}
