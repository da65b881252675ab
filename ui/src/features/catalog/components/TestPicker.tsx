import { useState } from 'react';

import { describe } from '../../../api';
import { AsyncPicker, ChosenList, toasts } from '../../../components';
import { limits, messages, say } from '../../../contract';
import { findTestsByCode, loadTestTrees, searchTests, type TestRow, type TestTree } from '../api';
import styles from './TestPicker.module.css';

/** A chosen test with the members of a panel. */
export interface ChosenTest {
  test: TestRow;
  isConfidential: boolean;
  children: readonly ChosenTest[];
}

const chosenOf = (tree: TestTree): ChosenTest => ({
  test: tree,
  isConfidential: false,
  children: tree.children.map(chosenOf),
});

interface TestPickerProps {
  value: readonly ChosenTest[];
  onChange: (tests: ChosenTest[]) => void;
  /** The client whose private tests are offered besides the lab's own. */
  clientId: number | null;
  disabled?: boolean;
  error?: string | undefined;
}

/**
 * Chooses tests by code and Enter or from the list; chosen panels show their members (O 2.3).
 * An entered code that fits none or several tests says so.
 */
export function TestPicker({ value, onChange, clientId, disabled, error }: TestPickerProps) {
  const [codeError, setCodeError] = useState<string | null>(null);

  const add = async (test: TestRow): Promise<void> => {
    setCodeError(null);
    if (value.some((chosen) => chosen.test.id === test.id)) return;
    try {
      const [tree] = await loadTestTrees([test.id]);
      onChange([...value, tree ? chosenOf(tree) : { test, isConfidential: false, children: [] }]);
    } catch (failure) {
      toasts.error(describe(failure));
    }
  };

  const addByCode = async (code: string): Promise<boolean> => {
    try {
      const [match, ...others] = await findTestsByCode(code, clientId);
      if (match === undefined) {
        setCodeError(say(messages.TEST_CODE_NOT_FOUND, { code }));
        return false;
      }
      if (others.length > 0) {
        setCodeError(say(messages.TEST_CODE_AMBIGUOUS, { code }));
        return false;
      }
      await add(match);
      return true;
    } catch (failure) {
      toasts.error(describe(failure));
      return false;
    }
  };

  return (
    <>
      <AsyncPicker<TestRow>
        label="Test code or name"
        hideLabel
        adds
        upper
        disabled={disabled}
        error={codeError ?? error}
        value={null}
        listWidth={limits.PICKER_DROPDOWN_WIDTH_PX}
        placeholder="Code and Enter, or search by name"
        queryKey={['tests', clientId]}
        load={(search, signal) => searchTests(search, clientId, signal)}
        itemKey={(test) => test.id}
        itemText={(test) => test.code}
        renderItem={(test) => (
          <span className={styles['row']}>
            <strong className="number">{test.code}</strong>
            <span>{test.name}</span>
            <span className="quiet">{test.alternateNames}</span>
          </span>
        )}
        onChange={(test) => {
          if (test) void add(test);
        }}
        onEnterText={addByCode}
        onEdit={() => setCodeError(null)}
      />
      <ChosenList
        label="Chosen tests"
        items={value}
        itemKey={(chosen) => chosen.test.id}
        itemName={(chosen) => chosen.test.name}
        empty="No tests chosen"
        render={(chosen) => <TestNode chosen={chosen} />}
        onRemove={
          disabled
            ? undefined
            : (removed) => onChange(value.filter((other) => other.test.id !== removed.test.id))
        }
      />
    </>
  );
}

/** A test and, behind a disclosure, the members of a panel. */
function TestNode({ chosen }: { chosen: ChosenTest }) {
  const line = (
    <>
      <strong className={`number ${styles['code']}`}>{chosen.test.code}</strong> {chosen.test.name}
    </>
  );
  if (chosen.children.length === 0) return line;
  return (
    <details className={styles['panel']} open>
      <summary>
        {line} <span className="quiet">{chosen.children.length} tests</span>
      </summary>
      <ul>
        {chosen.children.map((child) => (
          <li key={child.test.id}>
            <TestNode chosen={child} />
          </li>
        ))}
      </ul>
    </details>
  );
}
