import { Button, Switch, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';

import { describeError, usePermissions } from '../../../api';
import { trackAddition } from '../../../components/forms/pendingText';
import type { Rejection } from '../../../components/forms/useAddition';
import { notifyAlreadyListed, useLatestList } from '../../../components/forms/useLatestList';
import { toasts } from '../../../components/toasts';
import { StarEmptyIcon } from '../../../components/icons';
import { limits, messages, say } from '../../../contract';
import { Turns } from '../../../lib/turns';
import {
  findMatchingTest,
  listTestsByCode,
  frequentTestsQuery,
  loadTestTrees,
  type Offer,
  type TestRow,
} from '../api';
import {
  toChosenTest,
  filterNotChosen,
  restoreTest,
  setConfidential,
  removeTest,
  addTests,
  type ChosenTest,
} from '../chosen';
import { NO_FAVORITES, useFavorites, type Favorite } from '../favorites';
import { getShortcut } from '../shortcuts';
import { FavoritesDialog } from './FavoritesDialog';
import { QuickChoices } from './QuickChoices';
import { TestField } from './TestField';
import styles from './TestPicker.module.css';
import { TestTree } from './TestTree';

export type { ChosenTest } from '../chosen';

/** Enough to fill the first page of a search; the portal accepts up to a hundred. */
const PREFERRED_MAX = 50;

interface TestPickerProps {
  value: readonly ChosenTest[];
  onChange: (tests: ChosenTest[]) => void;
  /** The client whose test list is offered. */
  clientId: number | null;
  /** The physician whose frequent tests come first. */
  physicianId?: number | null;
  readOnly?: boolean;
  error?: string | undefined;
  inputRef?: Ref<never> | undefined;
  /** Called by Enter in the empty code field, to continue with the next part. */
  onDone?: (() => void) | undefined;
}

/**
 * Chooses tests: by code and Enter, from the grid, from frequent tests, or a favorite panel with
 * one key (O 2.3). The portal decides on saving what may be ordered.
 */
export function TestPicker({ value, onChange, clientId, ...props }: TestPickerProps) {
  const { physicianId = null, readOnly = false } = props;
  const { judge } = usePermissions();
  const [allTests, setAllTests] = useState(false);
  const [isManaging, setIsManaging] = useState(false);
  const offer: Offer = { clientId, allTests };

  const list = useLatestList(value, onChange, readOnly);

  const frequent = useQuery({
    ...frequentTestsQuery(offer, physicianId),
    enabled: !readOnly && clientId !== null,
    placeholderData: (previous) => previous,
  });
  const favorites = useFavorites(clientId, !readOnly);

  const preferredIds = [...favorites.flatMap(({ tests }) => tests), ...(frequent.data ?? [])]
    .map(({ id }) => id)
    .filter((id, index, ids) => ids.indexOf(id) === index)
    .slice(0, PREFERRED_MAX);

  const canOrder = (test: TestRow) => judge('orderTest', { onList: test.onList !== false }).allowed;

  // Tests are listed as they were entered, whichever answer comes first.
  const [turns] = useState(() => new Turns());

  const add = async (tests: readonly TestRow[], turn = turns.start()): Promise<void> => {
    try {
      const newTests = filterNotChosen(tests, list.getLatest());
      const trees = newTests.length === 0 ? [] : await loadTestTrees(newTests.map(({ id }) => id));
      const treesById = new Map(trees.map((tree) => [tree.id, tree]));
      const chosenTests = newTests.map((test) =>
        toChosenTest(
          treesById.get(test.id) ?? {
            ...test,
            parentId: null,
            isConfidential: false,
            children: [],
          },
        ),
      );
      await turn.earlier;
      // An earlier turn may have listed the same tests meanwhile.
      if (filterNotChosen(newTests, list.getLatest()).length === 0) {
        notifyAlreadyListed(tests.map(({ code }) => code).join(', '));
      } else {
        list.change((current) => addTests(current, chosenTests));
      }
    } finally {
      turn.end();
    }
  };

  /** Adds tests that were not typed into the code field. A toast reports a failure. */
  const addDirectly = (tests: readonly TestRow[]) => {
    trackAddition(add(tests)).catch((failure: unknown) => {
      const codes = tests.map(({ code }) => code).join(', ');
      toasts.error(`${codes}: ${describeError(failure)}`, limits.UNDO_MS);
    });
  };

  const addByCode = async (code: string): Promise<Rejection> => {
    const turn = turns.start();
    try {
      const [exact, ...others] = await listTestsByCode(code, offer);
      if (others.length > 0) return say(messages.TEST_CODE_AMBIGUOUS, { code });
      const match = exact ?? (await findMatchingTest(code, offer, preferredIds));
      if (match === 'none') return say(messages.TEST_CODE_NOT_FOUND, { code });
      if (match === 'several') return say(messages.SEVERAL_MATCHES, { text: code });
      if (!canOrder(match)) return messages.TEST_NOT_ON_LIST;
      await add([match], turn);
      return null;
    } finally {
      turn.end();
    }
  };

  const addFavorite = ({ name, tests, unavailable }: Favorite) => {
    if (unavailable.length > 0) {
      const codes = unavailable.map(({ code }) => code).join(', ');
      toasts.info(say(messages.FAVORITE_SKIPPED, { name, codes }));
    }
    addDirectly(tests);
  };

  // Ctrl+Z undoes these removals, beginning with the latest. A toast undoes the latest, too.
  const removals = useRef<{ message: string; restore: () => void }[]>([]);
  const undo = () => removals.current.pop()?.restore();
  const remove = (removedTest: ChosenTest) => {
    const position = value.indexOf(removedTest);
    const message = say(messages.TEST_REMOVED, { code: removedTest.test.code });
    list.change((current) => removeTest(current, removedTest.test.id));
    const restore = () => list.change((current) => restoreTest(current, removedTest, position));
    const removal = { message, restore };
    removals.current.push(removal);
    toasts.undo(message, () => {
      if (removals.current.at(-1) === removal) undo();
    });
  };
  // A removed test cannot be restored once the requisition is signed or left.
  useEffect(() => {
    return () => {
      for (const { message } of removals.current) toasts.close(message);
      removals.current = [];
    };
  }, [readOnly]);

  useFavoriteKeys(readOnly || isManaging ? NO_FAVORITES : favorites, addFavorite);

  const tree = (
    <TestTree
      value={value}
      readOnly={readOnly}
      onConfidential={({ test, isConfidential }) =>
        list.change((current) => setConfidential(current, test.id, !isConfidential))
      }
      onRemove={remove}
      onUndo={undo}
    />
  );
  if (readOnly) return tree;
  return (
    <div className={styles['picker']}>
      <div className={styles['line']}>
        <TestField
          offer={offer}
          preferredIds={preferredIds}
          disabled={false}
          error={props.error}
          inputRef={props.inputRef}
          isChosen={(test) => value.some((chosenTest) => chosenTest.test.id === test.id)}
          canOrder={canOrder}
          onChoose={(test) => add([test])}
          onEnterCode={addByCode}
          onDone={props.onDone}
        />
        <Switch
          className={styles['all'] ?? ''}
          checked={allTests}
          label="All tests"
          title="The whole catalog, not only the client's test list"
          onChange={(event) => setAllTests(event.currentTarget.checked)}
        />
      </div>
      <QuickChoices
        label="Favorites"
        choices={favorites.map((favorite, index) => ({
          key: favorite.id,
          text: favorite.name,
          name: `${favorite.name}: ${favorite.tests.map(({ code }) => code).join(', ')}`,
          isChosen:
            favorite.tests.length > 0 && filterNotChosen(favorite.tests, value).length === 0,
          shortcut: getShortcut(index),
          onChoose: () => addFavorite(favorite),
        }))}
      >
        <Button
          variant="minimal"
          size="small"
          icon={<StarEmptyIcon />}
          className={styles['manage']}
          title="Save the chosen tests as a favorite, rename or remove favorites"
          onClick={() => setIsManaging(true)}
        >
          Edit favorites
        </Button>
      </QuickChoices>
      <QuickChoices
        label="Frequent tests"
        choices={(frequent.data ?? []).map((test) => ({
          key: test.id,
          text: test.code,
          name: `${test.code}, ${test.name}`,
          isChosen: filterNotChosen([test], value).length === 0,
          onChoose: () => addDirectly([test]),
        }))}
      >
        {clientId === null ? (
          <span className="quiet">Shown once a patient is chosen</span>
        ) : frequent.data?.length === 0 ? (
          <span className="quiet">Nothing ordered here yet</span>
        ) : null}
      </QuickChoices>
      {tree}
      {isManaging ? (
        <FavoritesDialog
          favorites={favorites}
          chosenTests={value}
          onClose={() => setIsManaging(false)}
        />
      ) : null}
    </div>
  );
}

/** Registers one key for each of the first favorites, anywhere in the form; '?' lists them. */
function useFavoriteKeys(
  favorites: readonly Favorite[],
  onChoose: (favorite: Favorite) => void,
): void {
  const choose = useRef(onChoose);
  useLayoutEffect(() => {
    choose.current = onChoose;
  });
  const keys = useMemo(
    () =>
      favorites.flatMap((favorite, index): HotkeyConfig[] => {
        const combo = getShortcut(index).toLowerCase();
        if (combo === '') return [];
        return [
          {
            combo,
            global: true,
            group: 'Tests',
            label: `Add ${favorite.name}`,
            allowInInput: true,
            preventDefault: true,
            onKeyDown: () => choose.current(favorite),
          },
        ];
      }),
    [favorites],
  );
  useHotkeys(keys);
}
