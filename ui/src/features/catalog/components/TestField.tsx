import { Button } from '@blueprintjs/core';
import { useState, type KeyboardEvent, type Ref } from 'react';

import type { Page } from '../../../api';
import { ComboboxField } from '../../../components/fields/ComboboxField';
import { useCombobox } from '../../../components/fields/useCombobox';
import type { Rejection } from '../../../components/forms/useAddition';
import { useScreen } from '../../../components/useMedia';
import { ChevronLeftIcon, ChevronRightIcon, TickIcon } from '../../../components/icons';
import { limits, messages } from '../../../contract';
import { isExactTest, isMatch, testsQuery, type Offer, type TestRow } from '../api';
import styles from './TestField.module.css';

interface TestFieldProps {
  offer: Offer;
  /** Ids of the tests that come first among similar matches. */
  preferredIds: readonly number[];
  disabled: boolean;
  error: string | undefined;
  inputRef?: Ref<never> | undefined;
  isChosen: (test: TestRow) => boolean;
  /** Whether the test may be ordered; if not, its line says why. */
  canOrder: (test: TestRow) => boolean;
  /** Adds the test of a line. */
  onChoose: (test: TestRow) => Promise<void>;
  /** Adds the test of an entered code, or the one that the entered words mean. */
  onEnterCode: (code: string) => Promise<Rejection>;
  /** Called by Enter in the empty field, when all tests are chosen. */
  onDone?: (() => void) | undefined;
}

const SIZE = limits.PICKER_PAGE_SIZE;

/** Whether more tests follow this page. */
const hasMore = (page: number, answer: Page<TestRow> | undefined): boolean =>
  answer !== undefined && page * SIZE + answer.data.length < answer.totalCount;

/**
 * The code field with its grid of tests, ten per page (O 9). Typing filters, arrow keys highlight a
 * line, Page Up and Page Down turn the page, Enter chooses the line or the typed code. Enter on a
 * text that several tests contain highlights the first of them.
 */
export function TestField({ offer, disabled, inputRef, ...props }: TestFieldProps) {
  const isPhone = useScreen() === 'phone';
  const [page, setPage] = useState(0);
  const { combobox, lines, getLineProps, answer, status, setActive } = useCombobox({
    query: (search) => testsQuery(search, page, offer, props.preferredIds),
    getLines: ({ data }) => data,
    getLineKey: (test) => test.id,
    getLineText: (test) => test.code,
    chosenText: '',
    addsToList: true,
    upper: true,
    acceptsCached: true,
    rejectLine: (test) => (props.canOrder(test) ? null : messages.TEST_NOT_ON_LIST),
    onChoose: async (test) => {
      await props.onChoose(test);
      return null;
    },
    isExact: isExactTest,
    isMatch,
    // Several tests may have the same code, and some of them may be on other pages of the list.
    entersCertainText: true,
    onEnterText: props.onEnterCode,
    onEnterNothing: () => props.onDone?.(),
    // Moving past the last line opens the next page.
    step: (by, { isOpen, active, lines: rows, answer: currentAnswer }) => {
      const next = active + by;
      if (!isOpen || rows.length === 0) return by > 0 ? 0 : -1;
      if (next >= rows.length) {
        if (hasMore(page, currentAnswer)) setPage(page + 1);
        return 0;
      }
      if (next >= 0) return next;
      if (page === 0) return rows.length - 1;
      setPage(page - 1);
      return SIZE - 1;
    },
    onRestart: () => setPage(0),
  });
  const total = answer?.totalCount ?? 0;
  const first = page * SIZE;
  const hasNext = hasMore(page, answer);

  const goToPage = (targetPage: number) => {
    setPage(targetPage);
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key !== 'PageDown' && event.key !== 'PageUp') {
      combobox.onKeyDown(event);
      return;
    }
    if (!combobox.isOpen) return;
    event.preventDefault();
    if (event.key === 'PageDown' && hasNext) goToPage(page + 1);
    if (event.key === 'PageUp' && page > 0) goToPage(page - 1);
  };

  return (
    <ComboboxField
      combobox={combobox}
      label="Test code or name"
      hideLabel
      disabled={disabled}
      error={props.error}
      addsToList
      upper
      popup="grid"
      matchWidth={false}
      placeholder={isPhone ? 'Code or name' : 'Code and Enter, or search by name'}
      showLabel="Show tests"
      inputRef={inputRef}
      onKeyDown={onKeyDown}
      content={
        <div
          className={styles['dropdown']}
          style={{ width: `min(${limits.PICKER_DROPDOWN_WIDTH_PX}px, 92vw)` }}
        >
          {/* The list covers the field's own message. */}
          {combobox.rejection === undefined ? null : (
            <div className={styles['rejection']} aria-hidden="true">
              {combobox.rejection}
            </div>
          )}
          <div
            id={combobox.listId}
            role="grid"
            aria-label="Tests"
            aria-rowcount={total}
            className={styles['grid']}
          >
            <div role="row" className={styles['head']}>
              <span role="columnheader">Code</span>
              <span role="columnheader">Name</span>
              <span role="columnheader">Specimen, container</span>
            </div>
            <div role="rowgroup" className={styles['rows']} data-paged={total > SIZE}>
              {lines.map((test, index) => (
                <div
                  {...getLineProps(index)}
                  key={test.id}
                  role="row"
                  tabIndex={-1}
                  aria-rowindex={first + index + 1}
                  aria-selected={index === combobox.active}
                  aria-disabled={!props.canOrder(test)}
                  className={styles['row']}
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
                        {props.canOrder(test)
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
              {status ?? `${first + 1} to ${first + lines.length} of ${total}`}
            </span>
            <PageButton
              label="Previous tests"
              title="Page Up"
              icon={<ChevronLeftIcon />}
              disabled={page === 0}
              onClick={() => goToPage(page - 1)}
            />
            <PageButton
              label="More tests"
              title="Page Down"
              icon={<ChevronRightIcon />}
              disabled={!hasNext}
              onClick={() => goToPage(page + 1)}
            />
          </div>
        </div>
      }
    />
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
