import { screen } from '@testing-library/react';
import { useState } from 'react';

import type { Role } from '../contract';
import type { TestRow } from '../features/catalog/api';
import { toChosenTest, type ChosenTest } from '../features/catalog/chosen';
import { TestPicker } from '../features/catalog/components/TestPicker';
import { buildPage, type Answers, type SentRequest } from './portal';
import { buildProfile, renderPortal } from './render';

/** Laboratory tests for the unit tests of the picker. */
export const createTest = (
  id: number,
  code: string,
  name: string,
  more: Partial<TestRow> = {},
): TestRow => ({
  id,
  code,
  name,
  alternateNames: '',
  type: 'TEST',
  specimen: 'SERUM',
  container: 'GOLD TOP',
  onList: true,
  ...more,
});
export const glu = createTest(1, 'GLU', 'GLUCOSE');
export const k = createTest(2, 'K', 'POTASSIUM');
const wbc = createTest(3, 'WBC', 'WHITE BLOOD CELLS');
export const cbc = createTest(4, 'CBC', 'BLOOD COUNT', { type: 'PANEL' });
const csa = createTest(5, 'CSA', 'CYCLOSPORINE', { onList: false });
export const direct = createTest(10, 'DBIL', 'BILIRUBIN, DIRECT');
export const total = createTest(11, 'TBIL', 'BILIRUBIN, TOTAL');
const hiv = createTest(12, 'HIV', 'HIV ANTIBODIES');
const allTests = [glu, k, wbc, cbc, csa, direct, total, hiv];

const createTree = (test: TestRow) => ({
  ...test,
  parentId: null,
  isConfidential: test.id === hiv.id,
  children:
    test.id === cbc.id ? [{ ...wbc, parentId: cbc.id, isConfidential: false, children: [] }] : [],
});
export const favorite = {
  id: 9,
  version: 2,
  name: 'MORNING',
  tests: [glu, cbc],
  unavailable: [csa],
};

const portal: Answers = {
  'GET /api/v2/tests/remote-operations': ({ query }: SentRequest) => {
    const [code, search] = [query.get('code'), query.get('search') ?? ''];
    return buildPage(
      allTests
        .filter((test) => query.get('allTests') === 'true' || test.onList)
        .filter((test) => (code === null ? test.name.includes(search) : test.code === code))
        .map((test) => ({ ...test, isExact: [test.code, test.name].includes(search) })),
    );
  },
  'GET /api/v2/tests/with-children': ({ query }: SentRequest) =>
    query
      .getAll('testId')
      .map((id) => createTree(allTests.find((test) => test.id === Number(id)) ?? glu)),
  'GET /api/v2/tests/frequent': [k, glu],
  'GET /api/v2/favorite-panels': [favorite],
};

function PickerForm(props: {
  initial: readonly ChosenTest[];
  readOnly: boolean;
  onDone: () => void;
}) {
  const [value, setValue] = useState<readonly ChosenTest[]>(props.initial);
  return (
    <TestPicker
      value={value}
      onChange={setValue}
      clientId={7}
      physicianId={8}
      readOnly={props.readOnly}
      onDone={props.onDone}
    />
  );
}

interface PickerOptions {
  initial?: readonly TestRow[];
  answers?: Answers;
  readOnly?: boolean;
  role?: Role;
  onDone?: () => void;
}

/** Renders the picker for a user of a client, with a fake portal. */
export const renderPicker = ({ initial = [], ...options }: PickerOptions = {}) =>
  renderPortal(
    <PickerForm
      initial={initial.map((test) => toChosenTest(createTree(test)))}
      readOnly={options.readOnly ?? false}
      onDone={options.onDone ?? (() => undefined)}
    />,
    { user: buildProfile(options.role), answers: { ...portal, ...options.answers } },
  );

/** Renders the picker with a portal that answers for one test only when `answerFirst` is called. */
export async function renderWaitingPicker(waitingTest: TestRow) {
  let answerFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  const { user, requests } = await renderPicker({
    answers: {
      'GET /api/v2/tests/with-children': async ({ query }: SentRequest) => {
        const id = Number(query.get('testId'));
        if (id === waitingTest.id) await first;
        return [createTree(allTests.find((test) => test.id === id) ?? glu)];
      },
    },
  });
  const countLoads = () => requests.filter(({ path }) => path.endsWith('/with-children')).length;
  return { user, countLoads, answerFirst };
}

/** The code field. */
export const getField = () =>
  screen.getByRole<HTMLInputElement>('combobox', { name: 'Test code or name' });
/** The names of the chosen tests. */
export const listChosen = () =>
  screen
    .queryAllByRole('treeitem')
    .filter((item) => item.getAttribute('aria-level') === '1')
    .map((item) => item.getAttribute('aria-label'));
/** The lines of the open list. */
export const getLines = () => screen.getAllByRole('row').slice(1);
