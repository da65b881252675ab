import { Tab, Tabs, Tag } from '@blueprintjs/core';
import { Fragment, useId, type JSX } from 'react';

import type { ResultKind } from '../../../contract';
import { families } from '../families';
import styles from './results.module.css';

interface FamilyTabsProps {
  kinds: readonly ResultKind[];
  selected: ResultKind;
  onSelect: (kind: ResultKind) => void;
  /** The content of the selected tab. */
  panel: JSX.Element;
  /** A warning about one of several families, such as CRITICAL. */
  marks?: FamilyMarks;
  /** The number of rows that are selected in each family, if rows can be selected. */
  selectedCounts?: Partial<Record<ResultKind, number>>;
}

export type FamilyMarks = Partial<Record<ResultKind, readonly string[]>>;

/** The tabs of an order's families of results; only the selected one has its content on screen. */
export function FamilyTabs({
  kinds,
  selected,
  onSelect,
  panel,
  marks = {},
  selectedCounts = {},
}: FamilyTabsProps) {
  return (
    <Tabs
      id={useId()}
      className={styles['tabs'] ?? ''}
      animate={false}
      renderActiveTabPanelOnly
      selectedTabId={selected}
      onChange={(kind) => onSelect(kind as ResultKind)}
    >
      {kinds.map((kind) => (
        <Tab
          key={kind}
          id={kind}
          title={
            <span>
              {families[kind].title}
              {kinds.length < 2
                ? null
                : marks[kind]?.map((mark) => (
                    <Fragment key={mark}>
                      {' '}
                      <Tag minimal className={styles['mark'] ?? ''} intent="danger">
                        {mark}
                      </Tag>
                    </Fragment>
                  ))}
              {kinds.length < 2 || !selectedCounts[kind] ? null : (
                <>
                  {' '}
                  <Tag minimal className={styles['mark'] ?? ''}>
                    {`${selectedCounts[kind]} selected`}
                  </Tag>
                </>
              )}
            </span>
          }
          // Set explicitly: Blueprint's arrow keys only move among tabs with `disabled={false}`.
          disabled={false}
          panel={panel}
        />
      ))}
    </Tabs>
  );
}
