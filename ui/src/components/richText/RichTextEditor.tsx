import { EditorContent, useEditor, type Editor } from '@tiptap/react';
import { useEffect, useImperativeHandle, useRef } from 'react';

import { extensions } from './extensions';
import { FormatBar } from './FormatBar';
import type { RichTextProps } from './RichTextField';
import styles from './richText.module.css';
import { RichTextWaiting } from './RichTextWaiting';
import { TextStyles } from './TextStyles';

/** Returns the editor's HTML, or '' without text. */
const getHtml = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML());

/** The rich text editor; loaded when a form first needs it. */
export default function RichTextEditor({ value, onChange, ...props }: RichTextProps) {
  // The original value and the editor's version of it: an unchanged text is returned exactly as it
  // was.
  const original = useRef({ value, html: '' });
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
    // An editor created while rendering is destroyed if the page takes too long to show it.
    immediatelyRender: false,
    extensions,
    content: value,
    editable: !props.disabled,
    // The content security policy forbids injected styles.
    injectCSS: false,
    editorProps: { attributes },
    onCreate: ({ editor: newEditor }) => {
      original.current = { value, html: getHtml(newEditor) };
    },
    onUpdate: ({ editor: currentEditor }) => {
      const html = getHtml(currentEditor);
      onChange(html === original.current.html ? original.current.value : html);
    },
    onBlur: props.onBlur,
  });

  // Clearing, restoring or updating the form brings other content.
  useEffect(() => {
    // A page that was hidden still has its destroyed editor until a new one is ready.
    if (editor === null || editor.isDestroyed) return;
    const html = getHtml(editor);
    const current = html === original.current.html ? original.current.value : html;
    if (value === current) return;
    editor.commands.setContent(value, { emitUpdate: false });
    original.current = { value, html: getHtml(editor) };
  }, [editor, value]);

  useImperativeHandle(props.inputRef, () => ({ focus: () => void editor?.commands.focus() }), [
    editor,
  ]);

  if (editor === null) return <RichTextWaiting hasBar={!props.disabled} />;

  return (
    <div className={styles['editor']} data-invalid={props.input['aria-invalid']}>
      {props.disabled ? null : (
        <div className={styles['bar']}>
          <TextStyles editor={editor} label={props.label} />
          <FormatBar editor={editor} label={props.label} />
        </div>
      )}
      <EditorContent editor={editor} />
    </div>
  );
}
