import type { ChangeEvent, ComponentProps, ReactNode } from 'react';

import { ToneText } from '../../../components/ResultTone';
import { messages } from '../../../contract';
import { nameField } from '../fieldNames';
import { isTestCanceled } from './EntryLock';
import styles from './entryTable.module.css';
import { SpecimenTag } from './SpecimenTag';
import { HoldTags } from './TestState';

/** What the cells of an entry screen share: the typed values, and what may be done with them. */
export interface EntryFields {
  values: Record<string, string>;
  /** The portal's messages about fields, by the field's name. */
  fieldErrors: Record<string, string>;
  /** A prefix of all element ids. */
  id: string;
  /** Whether the user may not enter results here. */
  isLocked: boolean;
  onType: (field: string, value: string) => void;
}

interface EntryTest {
  orderTestId: number;
  name: string;
  status: number;
  result: string | null;
  comment: string | null;
  choices: readonly string[];
}

interface PartProps {
  test: EntryTest;
  fields: EntryFields;
}

interface FieldProps extends PartProps {
  /** Whether the result may be typed: it is not released, or its correction has a reason. */
  isUnlocked: boolean;
}

/** Returns the id of an element of a test, such as 'check' or 'comment-notice'. */
export const getElementId = (fields: EntryFields, test: { orderTestId: number }, part: string) =>
  `${fields.id}-${test.orderTestId}-${part}`;

/** Moves the focus to the next result, and from the last to the first. */
function focusNextResult(current: HTMLInputElement) {
  const results = [
    ...(current.form?.querySelectorAll<HTMLInputElement>('input[data-result]') ?? []),
  ];
  (results[results.indexOf(current) + 1] ?? results[0])?.focus();
}

/**
 * The common props of a test's input fields. What was typed before the test was canceled can be
 * deleted, because the order cannot be saved while that text is in the field.
 */
function getFieldProps({ test, fields, isUnlocked }: FieldProps, part: 'result' | 'comment') {
  const field = nameField(test, part);
  const value = fields.values[field] ?? '';
  const hasError = field in fields.fieldErrors;
  return {
    className: `bp6-input ${hasError ? 'bp6-intent-danger' : ''}`,
    'data-rejected': hasError || undefined,
    'aria-describedby': getElementId(fields, test, `${part}-rejection`),
    'aria-invalid': hasError,
    readOnly:
      fields.isLocked || (isTestCanceled(test) ? value === (test[part] ?? '') : !isUnlocked),
    value,
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      fields.onType(field, event.currentTarget.value),
  };
}

/** The portal's message about a field. */
export function FieldError({ test, fields, part }: PartProps & { part: string }) {
  const message = fields.fieldErrors[nameField(test, part)];
  if (message === undefined) return null;
  return (
    <span id={getElementId(fields, test, `${part}-rejection`)} className={styles['error']}>
      {message}
    </span>
  );
}

interface ResultFieldProps extends FieldProps {
  /** Whether the check of the typed value says that it cannot be saved. */
  hasFault: boolean;
  /** Whether the value is aligned as a number; words must show their beginning. */
  isFigure?: boolean;
  inputMode?: ComponentProps<'input'>['inputMode'];
}

/** The field of a result, with the choices of its test. Enter moves to the next result. */
export function ResultField({ hasFault, isFigure, inputMode, ...props }: ResultFieldProps) {
  const { test, fields } = props;
  const field = getFieldProps(props, 'result');
  const choices = test.choices.length > 0 ? getElementId(fields, test, 'choices') : undefined;
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${styles[isFigure ? 'result' : 'textResult']}`}
        data-result
        data-focus-first
        aria-label={`Result of ${test.name}`}
        aria-describedby={`${field['aria-describedby']} ${getElementId(fields, test, 'check')}`}
        aria-invalid={field['aria-invalid'] || hasFault}
        inputMode={inputMode}
        list={choices}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          focusNextResult(event.currentTarget);
        }}
      />
      <FieldError test={test} fields={fields} part="result" />
      {choices === undefined ? null : (
        <datalist id={choices}>
          {test.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface CheckTextProps extends PartProps {
  check: { text: string; tone: ComponentProps<typeof ToneText>['tone'] } | null;
}

/** What the typed value means, updated with each letter. */
export function CheckText({ test, fields, check }: CheckTextProps) {
  return (
    <span id={getElementId(fields, test, 'check')} aria-live="polite">
      {check === null ? null : (
        <ToneText tone={check.tone} quiet>
          {check.text}
        </ToneText>
      )}
    </span>
  );
}

interface CommentFieldProps extends FieldProps {
  /** The id of a note about the comment. */
  noteId?: string;
  autoComplete?: 'off';
}

/** The field of the comment on a result. */
export function CommentField({ noteId, autoComplete, ...props }: CommentFieldProps) {
  const { test, fields } = props;
  const field = getFieldProps(props, 'comment');
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${styles['comment']}`}
        autoComplete={autoComplete}
        aria-label={`Comment on ${test.name}`}
        aria-describedby={[field['aria-describedby'], noteId].filter(Boolean).join(' ')}
      />
      <FieldError test={test} fields={fields} part="comment" />
    </>
  );
}

interface StateFrameProps {
  test: { awaitsCollection: boolean; predatesSpecimen: boolean } & ComponentProps<typeof HoldTags>;
  /** The state in words, with the time of a release. */
  text: string;
  /** Who released the result that is shown. */
  releaser: string | null;
  acts: ReactNode;
  /** Notes below the buttons. */
  children: ReactNode;
}

/** The state of a result, what can be done with it, and notes. */
export function StateFrame({ test, text, releaser, acts, children }: StateFrameProps) {
  return (
    <div className={styles['state']}>
      <span className={`quiet ${releaser ? styles['line'] : styles['word']}`}>{text}</span>
      {releaser ? <span className={`quiet ${styles['word']}`}>{releaser}</span> : null}
      {acts}
      {test.awaitsCollection ? <SpecimenTag /> : null}
      {test.predatesSpecimen ? <SpecimenTag text={messages.RESULT_BEFORE_SPECIMEN} /> : null}
      <HoldTags holds={test.holds} />
      <div className={styles['notes']}>{children}</div>
    </div>
  );
}
