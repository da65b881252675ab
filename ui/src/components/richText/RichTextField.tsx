import { lazy, Suspense, type Ref } from 'react';

import { FormField, type FieldInputProps, type FieldProps } from '../fields/FormField';
import styles from './richText.module.css';

interface RichTextFieldProps extends FieldProps {
  /** HTML of the tags in `RICH_TEXT_TAGS`; '' when there are no words. */
  value: string;
  onChange: (html: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<{ focus: () => void }> | undefined;
}

export interface RichTextProps extends RichTextFieldProps {
  input: FieldInputProps;
}

const Editor = lazy(() => import('./RichTextEditor'));

/** Words with a little formatting; the editor comes when it is first shown. */
export function RichTextField(props: RichTextFieldProps) {
  return (
    <FormField {...props}>
      {(input) => (
        <Suspense fallback={<div className={styles['waiting']} />}>
          <Editor {...props} input={input} />
        </Suspense>
      )}
    </FormField>
  );
}
