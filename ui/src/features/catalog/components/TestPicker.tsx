import { Button, Switch, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';

import { describe, usePermissions } from '../../../api';
import { underWay } from '../../../components/forms/unentered';
import type { Refusal } from '../../../components/forms/useEntry';
import { useLatestList } from '../../../components/forms/useLatestList';
import { toasts } from '../../../components/toasts';
import { StarEmptyIcon } from '../../../components/icons';
import { limits, messages, say } from '../../../contract';
import {
  findTestsByCode,
  frequentTestsQuery,
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
  const { judge } = usePermissions();
  const [allTests, setAllTests] = useState(false);
  const [managing, setManaging] = useState(false);
  const offer: Offer = { clientId, allTests };

  const list = useLatestList(value, onChange, readOnly);

  const frequent = useQuery({
    ...frequentTestsQuery(offer, physicianId),
    enabled: !readOnly && clientId !== null,
    placeholderData: (before) => before,
  });
  const favorites = useFavorites(clientId, !readOnly);

  const mayOrder = (test: TestRow) => judge('orderTest', { onList: test.onList !== false }).allowed;

  const add = async (tests: readonly TestRow[]): Promise<void> => {
    const added = notChosen(tests, list.now());
    if (added.length === 0) return;
    const trees = await loadTestTrees(added.map(({ id }) => id));
    const found = new Map(trees.map((tree) => [tree.id, tree]));
    const chosen = added.map((test) =>
      chosenOf(found.get(test.id) ?? { ...test, parentId: null, children: [] }),
    );
    list.change((now) => withTests(now, chosen));
  };

  /** Adds tests that no field has back when that fails. */
  const addAtOnce = (tests: readonly TestRow[]) => {
    underWay(add(tests)).catch((failure: unknown) => {
      const codes = tests.map(({ code }) => code).join(', ');
      toasts.error(`${codes}: ${describe(failure)}`, limits.UNDO_MS);
    });
  };

  const addByCode = async (code: string): Promise<Refusal> => {
    const [match, ...others] = await findTestsByCode(code, offer);
    if (match === undefined) return say(messages.TEST_CODE_NOT_FOUND, { code });
    if (others.length > 0) return say(messages.TEST_CODE_AMBIGUOUS, { code });
    if (!mayOrder(match)) return messages.TEST_NOT_ON_LIST;
    await add([match]);
    return null;
  };

  const addFavorite = ({ name, tests, unavailable }: Favorite) => {
    if (unavailable.length > 0) {
      const codes = unavailable.map(({ code }) => code).join(', ');
      toasts.info(say(messages.FAVORITE_SKIPPED, { name, codes }));
    }
    addAtOnce(tests);
  };

  const undo = useRef<(() => void) | null>(null);
  // The toasts that offer to bring a test back.
  const offers = useRef(new Set<string>());
  const remove = (removed: ChosenTest) => {
    const place = value.indexOf(removed);
    const message = say(messages.TEST_REMOVED, { code: removed.test.code });
    list.change((now) => withoutTest(now, removed.test.id));
    const bringBack = () => {
      if (undo.current === bringBack) undo.current = null;
      if (offers.current.delete(message)) list.change((now) => restored(now, removed, place));
    };
    undo.current = bringBack;
    offers.current.add(message);
    toasts.undo(message, bringBack);
  };
  // Nothing is brought back into a choice that is signed, or left.
  useEffect(() => {
    const standing = offers.current;
    return () => {
      standing.forEach(toasts.close);
      standing.clear();
    };
  }, [readOnly]);

  useFavoriteKeys(readOnly || managing ? NONE : favorites, addFavorite);

  const tree = (
    <TestTree
      value={value}
      readOnly={readOnly}
      onConfidential={({ test, isConfidential }) =>
        list.change((now) => withConfidential(now, test.id, !isConfidential))
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
          error={props.error}
          inputRef={props.inputRef}
          isChosen={(test) => value.some((one) => one.test.id === test.id)}
          mayOrder={mayOrder}
          onChoose={(test) => add([test])}
          onEnterCode={addByCode}
          onDone={props.onDone}
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
          onChoose: () => addAtOnce([test]),
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
