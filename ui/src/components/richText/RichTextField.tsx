import { lazy, Suspense, type Ref } from 'react';

import { FormField, type FieldInputProps, type FieldProps } from '../fields/FormField';
import { RichTextWaiting } from './RichTextWaiting';

interface RichTextFieldProps extends FieldProps {
  /** HTML with the tags of `RICH_TEXT_TAGS`; '' without text. */
  value: string;
  onChange: (html: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<{ focus: () => void }> | undefined;
}

export interface RichTextProps extends RichTextFieldProps {
  input: FieldInputProps;
}

const Editor = lazy(() => import('./RichTextEditor'));

/** Text with simple formatting. The editor is loaded when it is first shown. */
export function RichTextField(props: RichTextFieldProps) {
  return (
    <FormField {...props}>
      {(input) => (
        <Suspense fallback={<RichTextWaiting hasBar={!props.disabled} />}>
          <Editor {...props} input={input} />
        </Suspense>
      )}
    </FormField>
  );
}
