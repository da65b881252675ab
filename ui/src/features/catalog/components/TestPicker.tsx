import { Button, Switch, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';

import { describe, useHasRole } from '../../../api';
import { toasts } from '../../../components';
import { StarEmptyIcon } from '../../../components/icons';
import { messages, Role, say } from '../../../contract';
import {
  findTestsByCode,
  loadFrequentTests,
  loadTestTrees,
  type Offer,
  type TestRow,
} from '../api';
import {
  chosenOf,
  notChosen,
  restored,
  withConfidential,
  withoutTest,
  withTests,
  type ChosenTest,
} from '../chosen';
import { NONE, useFavorites, type Favorite } from '../favorites';
import { shortcutOf } from '../shortcuts';
import { FavoritesDialog } from './FavoritesDialog';
import { QuickChoices } from './QuickChoices';
import { TestEntry } from './TestEntry';
import styles from './TestPicker.module.css';
import { TestTree } from './TestTree';

export type { ChosenTest } from '../chosen';

interface TestPickerProps {
  value: readonly ChosenTest[];
  onChange: (tests: ChosenTest[]) => void;
  /** Whose test list is offered. */
  clientId: number | null;
  /** Whose frequent tests come first. */
  physicianId?: number | null;
  readOnly?: boolean;
  error?: string | undefined;
  inputRef?: Ref<never> | undefined;
  /** Enter in the empty code field: the person goes on to the next part. */
  onDone?: (() => void) | undefined;
}

/**
 * Chooses tests: by code and Enter, from the grid, from what is ordered most here, or a favorite
 * panel with one key (O 2.3). The portal decides what may be ordered when the form is saved.
 */
export function TestPicker({ value, onChange, clientId, ...props }: TestPickerProps) {
  const { physicianId = null, readOnly = false } = props;
  // The lab may order beyond the list that it keeps for a client; a client sees what there is.
  const mayExceed = useHasRole(Role.SUPERUSER, Role.LABORATORY);
  const [allTests, setAllTests] = useState(false);
  const [codeError, setCodeError] = useState<string | undefined>();
  const [managing, setManaging] = useState(false);
  const offer: Offer = { clientId, allTests };

  // Answers come late: what they change is the choice of then.
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  const change = (next: ChosenTest[]) => {
    latest.current = next;
    onChange(next);
  };

  const frequent = useQuery({
    queryKey: ['frequent-tests', clientId, physicianId, allTests],
    queryFn: ({ signal }) => loadFrequentTests(offer, physicianId, signal),
    enabled: !readOnly && clientId !== null,
    placeholderData: (before) => before,
    meta: { quiet: true },
  });
  const favorites = useFavorites(clientId, !readOnly);

  const mayOrder = (test: TestRow) => mayExceed || test.onList !== false;

  /** Adds what is not chosen yet; whether all of it is chosen then. */
  const add = async (tests: readonly TestRow[]): Promise<boolean> => {
    setCodeError(undefined);
    const added = notChosen(tests, latest.current);
    if (added.length === 0) return true;
    try {
      const trees = await loadTestTrees(added.map(({ id }) => id));
      const found = new Map(trees.map((tree) => [tree.id, tree]));
      const chosen = added.map((test) =>
        chosenOf(found.get(test.id) ?? { ...test, parentId: null, children: [] }),
      );
      change(withTests(latest.current, chosen));
      return true;
    } catch (failure) {
      toasts.error(describe(failure));
      return false;
    }
  };

  const take = (test: TestRow) => {
    if (mayOrder(test)) void add([test]);
    else setCodeError(messages.TEST_NOT_ON_LIST);
  };

  const addByCode = async (code: string): Promise<boolean> => {
    try {
      const [match, ...others] = await findTestsByCode(code, offer);
      if (match === undefined) {
        setCodeError(say(messages.TEST_CODE_NOT_FOUND, { code }));
        return false;
      }
      if (others.length > 0) {
        setCodeError(say(messages.TEST_CODE_AMBIGUOUS, { code }));
        return false;
      }
      if (!mayOrder(match)) {
        setCodeError(messages.TEST_NOT_ON_LIST);
        return false;
      }
      return await add([match]);
    } catch (failure) {
      toasts.error(describe(failure));
      return false;
    }
  };

  const addFavorite = ({ name, tests, unavailable }: Favorite) => {
    if (unavailable.length > 0) {
      const codes = unavailable.map(({ code }) => code).join(', ');
      toasts.info(say(messages.FAVORITE_SKIPPED, { name, codes }));
    }
    void add(tests);
  };

  const undo = useRef<(() => void) | null>(null);
  const remove = (removed: ChosenTest) => {
    const place = value.indexOf(removed);
    change(withoutTest(value, removed.test.id));
    const bringBack = () => {
      if (undo.current === bringBack) undo.current = null;
      change(restored(latest.current, removed, place));
    };
    undo.current = bringBack;
    toasts.undo(say(messages.TEST_REMOVED, { code: removed.test.code }), bringBack);
  };

  useFavoriteKeys(readOnly || managing ? NONE : favorites, addFavorite);

  const tree = (
    <TestTree
      value={value}
      readOnly={readOnly}
      onConfidential={({ test, isConfidential }) =>
        change(withConfidential(value, test.id, !isConfidential))
      }
      onRemove={remove}
      onUndo={() => undo.current?.()}
    />
  );
  if (readOnly) return tree;
  return (
    <div className={styles['picker']}>
      <div className={styles['entry']}>
        <TestEntry
          offer={offer}
          disabled={false}
          error={codeError ?? props.error}
          inputRef={props.inputRef}
          isChosen={(test) => value.some((one) => one.test.id === test.id)}
          mayOrder={mayOrder}
          onTake={take}
          onCode={addByCode}
          onDone={props.onDone}
          onEdit={() => setCodeError(undefined)}
        />
        <Switch
          className={styles['all'] ?? ''}
          checked={allTests}
          label="All tests"
          title="The whole catalogue, not only the client's test list"
          onChange={(event) => setAllTests(event.currentTarget.checked)}
        />
      </div>
      <QuickChoices
        label="Favorites"
        choices={favorites.map((favorite, place) => ({
          key: favorite.id,
          text: favorite.name,
          name: `${favorite.name}: ${favorite.tests.map(({ code }) => code).join(', ')}`,
          isChosen: favorite.tests.length > 0 && notChosen(favorite.tests, value).length === 0,
          shortcut: shortcutOf(place),
          onChoose: () => addFavorite(favorite),
        }))}
      >
        <Button
          variant="minimal"
          size="small"
          icon={<StarEmptyIcon />}
          className={styles['manage']}
          title="Keep the chosen tests as a favorite, rename, remove"
          onClick={() => setManaging(true)}
        >
          Edit favorites
        </Button>
      </QuickChoices>
      <QuickChoices
        label="Ordered most"
        choices={(frequent.data ?? []).map((test) => ({
          key: test.id,
          text: test.code,
          name: `${test.code}, ${test.name}`,
          isChosen: notChosen([test], value).length === 0,
          onChoose: () => void add([test]),
        }))}
      >
        {clientId === null ? (
          <span className="quiet">Shown once a patient is chosen</span>
        ) : frequent.data?.length === 0 ? (
          <span className="quiet">Nothing ordered here yet</span>
        ) : null}
      </QuickChoices>
      {tree}
      {managing ? (
        <FavoritesDialog favorites={favorites} chosen={value} onClose={() => setManaging(false)} />
      ) : null}
    </div>
  );
}

/** One key for each of the first favorites, from anywhere in the form; '?' lists them. */
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
      favorites.flatMap((favorite, place): HotkeyConfig[] => {
        const combo = shortcutOf(place).toLowerCase();
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
