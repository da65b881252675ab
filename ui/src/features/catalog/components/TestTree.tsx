import { Button } from '@blueprintjs/core';
import { useRef, useState, type KeyboardEvent } from 'react';

import {
  ChevronDownIcon,
  ChevronRightIcon,
  LockIcon,
  SmallCrossIcon,
} from '../../../components/icons';
import { listLines, type ChosenTest, type TreeLine } from '../chosen';
import styles from './TestTree.module.css';

interface TestTreeProps {
  value: readonly ChosenTest[];
  readOnly: boolean;
  onConfidential: (test: ChosenTest) => void;
  onRemove: (test: ChosenTest) => void;
  /** Called by Ctrl+Z. */
  onUndo: () => void;
}

/**
 * The chosen tests; panels expand to their members (O 2.3). Arrow keys move, Right expands and Left
 * collapses a panel, Space makes a test confidential, Delete removes it (WAI-ARIA tree).
 */
export function TestTree({ value, readOnly, ...props }: TestTreeProps) {
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const lines = listLines(value, openKeys);
  const tabStop = lines.some(({ key }) => key === current) ? current : (lines[0]?.key ?? null);

  const toggle = (key: string) => {
    const next = new Set(openKeys);
    if (!next.delete(key)) next.add(key);
    setOpenKeys(next);
  };
  const focus = (line: TreeLine | undefined) => {
    if (line === undefined) return;
    setCurrent(line.key);
    tree.current?.querySelector<HTMLElement>(`[data-line="${line.key}"]`)?.focus();
  };
  const remove = (line: TreeLine) => {
    const index = lines.indexOf(line);
    const roots = lines.filter(({ level }) => level === 1);
    const position = roots.indexOf(line);
    // The focus moves to the neighbor before this line is removed.
    if (index >= 0) focus(roots[position + 1] ?? roots[position - 1]);
    props.onRemove(line.chosen);
  };

  const onKeyDown = (event: KeyboardEvent, line: TreeLine) => {
    // A button within the line handles its own keys.
    if (event.target !== event.currentTarget) return;
    const index = lines.indexOf(line);
    const isRoot = line.level === 1 && !readOnly;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    const actions: Record<string, () => void> = {
      ArrowDown: () => focus(lines[index + 1]),
      ArrowUp: () => focus(lines[index - 1]),
      Home: () => focus(lines[0]),
      End: () => focus(lines.at(-1)),
      ArrowRight: () => {
        if (line.isPanel && !line.isOpen) toggle(line.key);
        else if (line.isOpen) focus(lines[index + 1]);
      },
      ArrowLeft: () => {
        if (line.isOpen) toggle(line.key);
        else focus(lines.find(({ key }) => key === line.parentKey));
      },
      Enter: () => {
        if (line.isPanel) toggle(line.key);
      },
      ' ': () => {
        if (isRoot) props.onConfidential(line.chosen);
      },
      Delete: () => {
        if (isRoot) remove(line);
      },
    };
    const action = isUndo ? props.onUndo : actions[event.key];
    if (action === undefined || (!isUndo && (event.altKey || event.ctrlKey || event.metaKey)))
      return;
    event.preventDefault();
    action();
  };

  if (lines.length === 0) return <div className={styles['empty']}>No tests chosen</div>;
  return (
    <div ref={tree} role="tree" aria-label="Chosen tests" className={styles['tree']}>
      {lines.map((line) => (
        <div
          key={line.key}
          data-line={line.key}
          role="treeitem"
          aria-level={line.level}
          aria-posinset={line.position}
          aria-setsize={line.siblings}
          aria-expanded={line.isPanel ? line.isOpen : undefined}
          aria-selected={false}
          aria-label={getLineName(line)}
          tabIndex={line.key === tabStop ? 0 : -1}
          className={styles['line']}
          style={{ paddingLeft: `${(line.level - 1) * 22 + 4}px` }}
          onFocus={(event) => {
            if (event.target === event.currentTarget) setCurrent(line.key);
          }}
          onKeyDown={(event) => onKeyDown(event, line)}
        >
          <Expander line={line} onToggle={() => toggle(line.key)} />
          <strong className={`number ${styles['code'] ?? ''}`}>{line.chosen.test.code}</strong>{' '}
          <span className={styles['name']}>
            {line.chosen.test.name}
            {line.isPanel ? <span className="quiet"> {formatSize(line.chosen)}</span> : null}
            {line.chosen.isConfidential ? (
              <span className={styles['confidential']}>
                {readOnly ? <LockIcon size={12} /> : null} Confidential
              </span>
            ) : null}
          </span>
          {line.level === 1 && !readOnly ? (
            <span className={styles['buttons']}>
              <Button
                variant="minimal"
                size="small"
                icon={<LockIcon />}
                active={line.chosen.isConfidential}
                aria-pressed={line.chosen.isConfidential}
                aria-label={`Confidential: ${line.chosen.test.name}`}
                title="Confidential (Space)"
                tabIndex={line.key === tabStop ? 0 : -1}
                className={styles['lock']}
                onClick={() => props.onConfidential(line.chosen)}
              />
              <Button
                variant="minimal"
                size="small"
                icon={<SmallCrossIcon />}
                aria-label={`Remove ${line.chosen.test.name}`}
                title="Remove (Delete)"
                tabIndex={line.key === tabStop ? 0 : -1}
                onClick={() => remove(line)}
              />
            </span>
          ) : null}
        </div>
      ))}
    </div>
  );
}

const formatSize = ({ children }: ChosenTest) =>
  children.length === 1 ? '1 test' : `${children.length} tests`;

/** Returns the accessible name of a line, equal to its visible text for speech control. */
function getLineName({ chosen, isPanel }: TreeLine): string {
  const parts = [chosen.test.code, chosen.test.name];
  if (isPanel) parts.push(formatSize(chosen));
  if (chosen.isConfidential) parts.push('Confidential');
  return parts.join(' ');
}

/** The mouse target that expands a panel; the keyboard uses Right and Left. */
function Expander({ line, onToggle }: { line: TreeLine; onToggle: () => void }) {
  if (!line.isPanel) return <span className={styles['expander']} />;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the line itself handles the keys
    <span className={styles['expander']} data-opens onClick={onToggle}>
      {line.isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
    </span>
  );
}
