import { EditorContent, useEditor, type Editor } from '@tiptap/react';
import { useEffect, useImperativeHandle, useRef } from 'react';

import { extensions } from './extensions';
import { FormatBar } from './FormatBar';
import type { RichTextProps } from './RichTextField';
import styles from './richText.module.css';

/** The same words in the editor's own spelling; nothing when there are none. */
const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML());

/** The editor of rich text; loaded when a form first needs it. */
export default function RichTextEditor({ value, onChange, ...props }: RichTextProps) {
  // What was given and how the editor spells it: unchanged words go back exactly as they came.
  const given = useRef({ value, html: '' });
  const attributes: Record<string, string> = {
    role: 'textbox',
    class: styles['text'] ?? '',
    id: props.input.id,
    'aria-label': props.label,
    'aria-multiline': 'true',
    'aria-readonly': String(props.disabled ?? false),
    'aria-invalid': String(props.input['aria-invalid'] ?? false),
  };
  if (props.input['aria-describedby']) {
    attributes['aria-describedby'] = props.input['aria-describedby'];
  }
  const editor = useEditor({
    // An editor that is made while drawing is destroyed when the page shows it a moment too late.
    immediatelyRender: false,
    extensions,
    content: value,
    editable: !props.disabled,
    // The portal's pages take no styles that are made on the way.
    injectCSS: false,
    editorProps: { attributes },
    onCreate: ({ editor: created }) => {
      given.current = { value, html: htmlOf(created) };
    },
    onUpdate: ({ editor: changed }) => {
      const html = htmlOf(changed);
      onChange(html === given.current.html ? given.current.value : html);
    },
    onBlur: props.onBlur,
  });

  // A form that is cleared, restored or moved on to a newer record brings other words.
  useEffect(() => {
    // A page that was hidden still holds the editor that went with it; a new one is on its way.
    if (editor === null || editor.isDestroyed) return;
    const html = htmlOf(editor);
    const own = html === given.current.html ? given.current.value : html;
    if (value === own) return;
    editor.commands.setContent(value, { emitUpdate: false });
    given.current = { value, html: htmlOf(editor) };
  }, [editor, value]);

  useImperativeHandle(props.inputRef, () => ({ focus: () => void editor?.commands.focus() }), [
    editor,
  ]);

  if (editor === null) return <div className={styles['waiting']} />;

  return (
    <div className={styles['editor']} data-invalid={props.input['aria-invalid']}>
      {props.disabled ? null : <FormatBar editor={editor} label={props.label} />}
      <EditorContent editor={editor} />
    </div>
  );
}
