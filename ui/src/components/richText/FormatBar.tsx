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
  /** For a tool that is on or off where the cursor stands. */
  isOn?: (editor: Editor) => boolean;
  works?: (editor: Editor) => boolean;
}

const tools: readonly Tool[] = [
  {
    label: 'Bold',
    keys: 'Ctrl+B',
    icon: <BoldIcon />,
    run: (editor) => editor.chain().focus().toggleBold().run(),
    isOn: (editor) => editor.isActive('bold'),
  },
  {
    label: 'Italic',
    keys: 'Ctrl+I',
    icon: <ItalicIcon />,
    run: (editor) => editor.chain().focus().toggleItalic().run(),
    isOn: (editor) => editor.isActive('italic'),
  },
  {
    label: 'Underline',
    keys: 'Ctrl+U',
    icon: <UnderlineIcon />,
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
    isOn: (editor) => editor.isActive('underline'),
  },
  {
    label: 'Bulleted list',
    keys: 'Ctrl+Shift+8',
    icon: <PropertiesIcon />,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    label: 'Numbered list',
    keys: 'Ctrl+Shift+7',
    icon: <NumberedListIcon />,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
  {
    label: 'Undo',
    keys: 'Ctrl+Z',
    icon: <UndoIcon />,
    run: (editor) => editor.chain().focus().undo().run(),
    works: (editor) => editor.can().undo(),
  },
  {
    label: 'Redo',
    keys: 'Ctrl+Y',
    icon: <RedoIcon />,
    run: (editor) => editor.chain().focus().redo().run(),
    works: (editor) => editor.can().redo(),
  },
];

/** The formatting toolbar: one stop of the Tab key, arrow keys within (WAI-ARIA toolbar). */
export function FormatBar({ editor, label }: { editor: Editor; label: string }) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const states = useEditorState({
    editor,
    selector: ({ editor: now }) =>
      tools.map(({ isOn, works }) => ({ on: isOn?.(now), works: works?.(now) ?? true })),
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (current + 1) % tools.length,
      ArrowLeft: (current + tools.length - 1) % tools.length,
      Home: 0,
      End: tools.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={`${label} formatting`}
      className={styles['bar']}
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
          aria-pressed={states[index]?.on}
          // Stays reachable by the arrow keys, and says that it can do nothing just now.
          aria-disabled={states[index]?.works === false}
          active={states[index]?.on ?? false}
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => tool.run(editor)}
        />
      ))}
    </div>
  );
}
