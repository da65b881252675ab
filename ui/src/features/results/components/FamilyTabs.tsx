import { Tab, Tabs } from '@blueprintjs/core';
import { useId, type JSX } from 'react';

import type { ResultKind } from '../../../contract';
import { families } from '../families';
import styles from './results.module.css';

interface FamilyTabsProps {
  kinds: readonly ResultKind[];
  selected: ResultKind;
  onSelect: (kind: ResultKind) => void;
  /** The content of the selected tab. */
  panel: JSX.Element;
}

/** The tabs of an order's families of results; only the selected one has its content on screen. */
export function FamilyTabs({ kinds, selected, onSelect, panel }: FamilyTabsProps) {
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
          title={families[kind].title}
          // Set explicitly: Blueprint's arrow keys only move among tabs with `disabled={false}`.
          disabled={false}
          panel={panel}
        />
      ))}
    </Tabs>
  );
}
