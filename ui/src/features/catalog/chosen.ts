import type { TestRow, TestTree } from './api';

/** A chosen test; a panel contains its members. */
export interface ChosenTest {
  test: TestRow;
  isConfidential: boolean;
  children: readonly ChosenTest[];
}

export const toChosenTest = (tree: TestTree): ChosenTest => ({
  test: tree,
  isConfidential: tree.isConfidential,
  children: tree.children.map(toChosenTest),
});

/** Returns the tests that are not chosen yet, in the same order. */
export function filterNotChosen<Test extends { id: number }>(
  tests: readonly Test[],
  value: readonly ChosenTest[],
): Test[] {
  const chosenIds = new Set(value.map(({ test }) => test.id));
  return tests.filter(({ id }) => !chosenIds.has(id));
}

/** Adds tests at the end, each only once. */
export const addTests = (value: readonly ChosenTest[], newTests: readonly ChosenTest[]) => [
  ...value,
  ...newTests.filter(({ test }) => !value.some((chosenTest) => chosenTest.test.id === test.id)),
];

export const removeTest = (value: readonly ChosenTest[], id: number) =>
  value.filter(({ test }) => test.id !== id);

/** Restores a removed test at its former position, or at the end of a shorter list. */
export function restoreTest(value: readonly ChosenTest[], test: ChosenTest, position: number) {
  const others = removeTest(value, test.test.id);
  return [...others.slice(0, position), test, ...others.slice(position)];
}

export const setConfidential = (
  value: readonly ChosenTest[],
  id: number,
  isConfidential: boolean,
) =>
  value.map((chosenTest) =>
    chosenTest.test.id === id ? { ...chosenTest, isConfidential } : chosenTest,
  );

/** A visible line of the tree: a chosen test, or a member of an open panel. */
export interface TreeLine {
  /** The ids from the root down; unique among the lines. */
  key: string;
  parentKey: string | null;
  chosen: ChosenTest;
  /** The depth in the tree; 1 for a chosen test. */
  level: number;
  position: number;
  siblings: number;
  isPanel: boolean;
  isOpen: boolean;
}

/** Returns the visible lines from top to bottom; `open` contains the keys of open panels. */
export function listLines(
  value: readonly ChosenTest[],
  open: ReadonlySet<string>,
  parent: TreeLine | null = null,
): TreeLine[] {
  return value.flatMap((chosenTest, index) => {
    const key = parent ? `${parent.key}-${chosenTest.test.id}` : String(chosenTest.test.id);
    const line: TreeLine = {
      key,
      parentKey: parent?.key ?? null,
      chosen: chosenTest,
      level: (parent?.level ?? 0) + 1,
      position: index + 1,
      siblings: value.length,
      isPanel: chosenTest.children.length > 0,
      isOpen: open.has(key),
    };
    return line.isOpen ? [line, ...listLines(chosenTest.children, open, line)] : [line];
  });
}
