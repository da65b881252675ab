import type { TestRow, TestTree } from './api';

/** A chosen test with the members of a panel. */
export interface ChosenTest {
  test: TestRow;
  isConfidential: boolean;
  children: readonly ChosenTest[];
}

export const chosenOf = (tree: TestTree): ChosenTest => ({
  test: tree,
  isConfidential: false,
  children: tree.children.map(chosenOf),
});

/** The tests of these ids that are not chosen yet, in the order given. */
export function notChosen<Test extends { id: number }>(
  tests: readonly Test[],
  value: readonly ChosenTest[],
): Test[] {
  const chosen = new Set(value.map(({ test }) => test.id));
  return tests.filter(({ id }) => !chosen.has(id));
}

/** Chosen tests with others behind them; each stands there once. */
export const withTests = (value: readonly ChosenTest[], added: readonly ChosenTest[]) => [
  ...value,
  ...added.filter(({ test }) => !value.some((one) => one.test.id === test.id)),
];

export const withoutTest = (value: readonly ChosenTest[], id: number) =>
  value.filter(({ test }) => test.id !== id);

/** A removed test at its old place, or last when there are fewer now. */
export function restored(value: readonly ChosenTest[], test: ChosenTest, place: number) {
  const others = withoutTest(value, test.test.id);
  return [...others.slice(0, place), test, ...others.slice(place)];
}

export const withConfidential = (
  value: readonly ChosenTest[],
  id: number,
  isConfidential: boolean,
) => value.map((one) => (one.test.id === id ? { ...one, isConfidential } : one));

/** A line of the tree as it is drawn: a chosen test, or a member of an open panel. */
export interface TreeLine {
  /** The ids from the root down, which no two lines have alike. */
  key: string;
  parentKey: string | null;
  chosen: ChosenTest;
  /** From 1. */
  level: number;
  place: number;
  siblings: number;
  isPanel: boolean;
  isOpen: boolean;
}

/** The visible lines from top to bottom; `open` holds the keys of open panels. */
export function linesOf(
  value: readonly ChosenTest[],
  open: ReadonlySet<string>,
  parent: TreeLine | null = null,
): TreeLine[] {
  return value.flatMap((chosen, index) => {
    const key = parent ? `${parent.key}-${chosen.test.id}` : String(chosen.test.id);
    const line: TreeLine = {
      key,
      parentKey: parent?.key ?? null,
      chosen,
      level: (parent?.level ?? 0) + 1,
      place: index + 1,
      siblings: value.length,
      isPanel: chosen.children.length > 0,
      isOpen: open.has(key),
    };
    return line.isOpen ? [line, ...linesOf(chosen.children, open, line)] : [line];
  });
}
