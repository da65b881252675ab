import { Button, InputGroup, Intent, PopoverNext, Spinner } from '@blueprintjs/core';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState, type Ref } from 'react';

import { describe } from '../../../api';
import { FormField } from '../../../components/fields/FormField';
import { leaves } from '../../../components/fields/leaves';
import { underWay, unentered } from '../../../components/forms/unentered';
import { useEntry, type Refusal } from '../../../components/forms/useEntry';
import { useDebounced } from '../../../components/useDebounced';
import {
  CaretDownIcon,
  ChevronLeftIcon,
  ChevronRightIcon,
  TickIcon,
} from '../../../components/icons';
import { limits, messages } from '../../../contract';
import { searchTests, type Offer, type TestRow } from '../api';
import styles from './TestEntry.module.css';

interface TestEntryProps {
  offer: Offer;
  disabled: boolean;
  error: string | undefined;
  inputRef?: Ref<never> | undefined;
  isChosen: (test: TestRow) => boolean;
  /** Whether the person may order it; otherwise the line says why not. */
  mayOrder: (test: TestRow) => boolean;
  /** Adds the test of a line. */
  onTake: (test: TestRow) => Promise<void>;
  /** Adds the test of a code that was entered. */
  onCode: (code: string) => Promise<Refusal>;
  /** Enter in the empty field: all tests are chosen. */
  onDone?: (() => void) | undefined;
}

const TYPING_PAUSE_MS = 200;
const SIZE = limits.PICKER_PAGE_SIZE;

const listOf = (offer: Offer, typed: string, page: number) =>
  queryOptions({
    queryKey: ['tests', offer.clientId, offer.allTests, typed.trim(), page],
    queryFn: ({ signal }) => searchTests(typed.trim(), page, offer, signal),
    meta: { quiet: true },
  });

/** The field's words in capitals, the caret where it was. */
function capitals(input: HTMLInputElement): string {
  const caret = input.selectionStart;
  const text = input.value.toUpperCase();
  if (text !== input.value) {
    input.value = text;
    input.setSelectionRange(caret, caret);
  }
  return text;
}

/**
 * The code field with its grid of tests, ten a page (O 9): typing filters, arrows choose a line,
 * Page Up and Page Down turn the page, Enter takes the line or the code that was typed.
 */
export function TestEntry({ offer, disabled, ...props }: TestEntryProps) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(0);
  const [active, setActive] = useState(-1);
  // A line was chosen that may not be ordered; out of date with the next key.
  const [isOffList, setOffList] = useState(false);
  const field = useRef<HTMLInputElement | null>(null);
  const gridId = useId();

  const entry = useEntry(field, typed);
  const { text } = entry;
  const search = useDebounced(text, TYPING_PAUSE_MS);
  const queries = useQueryClient();
  const lookup = useQuery({
    ...listOf(offer, search, page),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const rows = lookup.data?.data ?? [];
  const total = lookup.data?.totalCount ?? 0;
  const first = page * SIZE;
  const hasNext = first + rows.length < total;
  // What is shown may still be the answer to what was typed before.
  const settled = search === text && !lookup.isPlaceholderData;

  /** What was typed stays in sight: it is not a choice yet, and not lost either. */
  const shut = () => {
    setOpen(false);
    setActive(-1);
    setPage(0);
  };
  const clear = () => {
    shut();
    setTyped('');
    setOffList(false);
    entry.release();
  };
  const turn = (to: number) => {
    setPage(to);
    setActive(0);
  };
  const move = (step: number) => {
    setOpen(true);
    const next = active + step;
    if (!open || rows.length === 0) setActive(step > 0 ? 0 : -1);
    else if (next >= rows.length && hasNext) turn(page + 1);
    else if (next >= rows.length) setActive(0);
    else if (next >= 0) setActive(next);
    else if (page > 0) {
      setPage(page - 1);
      setActive(SIZE - 1);
    } else setActive(rows.length - 1);
  };
  const take = (test: TestRow) => {
    if (!props.mayOrder(test)) {
      setOffList(true);
      return;
    }
    clear();
    void entry.enter(test.code, async () => {
      await props.onTake(test);
      return null;
    });
  };
  /** Whether a line of the earlier answer is still one for what is typed now. */
  const isMatch = async (row: TestRow): Promise<boolean> => {
    try {
      const now = await queries.query(listOf(offer, text, page));
      return now.data.some(({ id }) => id === row.id);
    } catch {
      return false;
    }
  };
  const enterCode = async (code: string) => {
    const known = settled && rows.length > 0;
    clear();
    const isBack = await entry.enter(code, props.onCode);
    if (isBack && known && document.activeElement === field.current) setOpen(true);
  };
  const enter = async () => {
    const row = open ? rows[active] : undefined;
    const code = text.trim();
    if (row) {
      // What was typed meanwhile is not taken away by an earlier Enter.
      if (settled || ((await isMatch(row)) && field.current?.value === text)) take(row);
    } else if (code !== '') await enterCode(code);
    else {
      shut();
      props.onDone?.();
    }
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const turns = open && (event.key === 'PageDown' ? hasNext : page > 0);
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        move(event.key === 'ArrowDown' ? 1 : -1);
        break;
      case 'PageDown':
      case 'PageUp':
        if (open) event.preventDefault();
        if (turns) turn(page + (event.key === 'PageDown' ? 1 : -1));
        break;
      case 'Enter':
        event.preventDefault();
        void underWay(enter());
        break;
      case 'Escape':
        if (open) {
          event.stopPropagation();
          shut();
        }
        break;
      case 'Tab':
        shut();
        break;
    }
  };

  const status = lookup.isError
    ? describe(lookup.error)
    : lookup.isPending
      ? 'Searching…'
      : rows.length === 0
        ? 'Nothing found'
        : null;

  const error = entry.refusal ?? (isOffList ? messages.TEST_NOT_ON_LIST : props.error);
  return (
    <FormField label="Test code or name" hideLabel disabled={disabled} error={error}>
      {(input) => (
        <PopoverNext
          isOpen={open && !disabled}
          onInteraction={(next, event) => {
            // A click into the field is no click beside the list.
            if (!next && event?.target !== field.current) shut();
          }}
          autoFocus={false}
          enforceFocus={false}
          shouldReturnFocusOnClose={false}
          placement="bottom-start"
          arrow={false}
          animation="minimal"
          fill
          matchTargetWidth={false}
          content={
            // The grid never takes the focus: the field keeps it and says where one is.
            <div
              className={styles['dropdown']}
              style={{ width: `min(${limits.PICKER_DROPDOWN_WIDTH_PX}px, 92vw)` }}
            >
              <div id={gridId} role="grid" aria-label="Tests" aria-rowcount={total}>
                <div role="row" className={styles['head']}>
                  <span role="columnheader">Code</span>
                  <span role="columnheader">Name</span>
                  <span role="columnheader">Specimen, container</span>
                </div>
                <div role="rowgroup" className={styles['rows']}>
                  {rows.map((test, index) => (
                    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys
                    <div
                      key={test.id}
                      id={`${gridId}-${index}`}
                      role="row"
                      tabIndex={-1}
                      aria-rowindex={first + index + 1}
                      aria-selected={index === active}
                      aria-disabled={!props.mayOrder(test)}
                      className={styles['row']}
                      onMouseDown={(event) => event.preventDefault()}
                      onMouseMove={() => setActive(index)}
                      onClick={() => take(test)}
                    >
                      <span role="gridcell" className={`number ${styles['code'] ?? ''}`}>
                        {test.code}
                      </span>
                      <span role="gridcell">
                        {test.name}
                        {props.isChosen(test) ? (
                          <TickIcon size={12} className={styles['tick'] ?? ''} title="chosen" />
                        ) : null}
                        {test.onList === false ? (
                          <span className={styles['note']}>
                            {props.mayOrder(test)
                              ? "Not on the client's test list"
                              : messages.TEST_NOT_ON_LIST}
                          </span>
                        ) : null}
                      </span>
                      <span role="gridcell" className="quiet">
                        {[test.specimen, test.container].filter(Boolean).join(', ')}
                      </span>
                    </div>
                  ))}
                </div>
              </div>
              <div className={styles['foot']}>
                <span role="status">
                  {status ?? `${first + 1} to ${first + rows.length} of ${total}`}
                </span>
                <PageButton
                  label="Previous tests"
                  title="Page Up"
                  icon={<ChevronLeftIcon />}
                  disabled={page === 0}
                  onClick={() => turn(page - 1)}
                />
                <PageButton
                  label="More tests"
                  title="Page Down"
                  icon={<ChevronRightIcon />}
                  disabled={!hasNext}
                  onClick={() => turn(page + 1)}
                />
              </div>
            </div>
          }
        >
          <InputGroup
            {...input}
            {...unentered(text)}
            fill
            role="combobox"
            aria-expanded={open}
            aria-haspopup="grid"
            aria-controls={gridId}
            aria-autocomplete="list"
            aria-activedescendant={open && active >= 0 ? `${gridId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            className={styles['input']}
            intent={error ? Intent.DANGER : Intent.NONE}
            disabled={disabled}
            placeholder="Code and Enter, or search by name"
            value={text}
            inputRef={(element: HTMLInputElement | null) => {
              field.current = element;
              const ref = props.inputRef as Ref<HTMLInputElement> | undefined;
              if (typeof ref === 'function') ref(element);
              else if (ref) ref.current = element;
            }}
            onBlur={({ relatedTarget }) => {
              // The focus may be taken elsewhere without a key or a click.
              if (leaves(field.current, relatedTarget)) shut();
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              const next = capitals(event.currentTarget);
              entry.edited(next);
              setOffList(false);
              setTyped(next);
              setPage(0);
              setActive(-1);
              setOpen(true);
            }}
            rightElement={
              lookup.isFetching ? (
                <Spinner size={14} />
              ) : (
                <Button
                  variant="minimal"
                  tabIndex={-1}
                  icon={<CaretDownIcon />}
                  disabled={disabled}
                  aria-label="Show tests"
                  onClick={(event) => {
                    event.stopPropagation();
                    setOpen(!open);
                    field.current?.focus();
                  }}
                />
              )
            }
          />
        </PopoverNext>
      )}
    </FormField>
  );
}

interface PageButtonProps {
  label: string;
  title: string;
  icon: React.JSX.Element;
  disabled: boolean;
  onClick: () => void;
}

const PageButton = ({ label, ...button }: PageButtonProps) => (
  <Button
    {...button}
    variant="minimal"
    size="small"
    tabIndex={-1}
    aria-label={label}
    onMouseDown={(event) => event.preventDefault()}
  />
);
