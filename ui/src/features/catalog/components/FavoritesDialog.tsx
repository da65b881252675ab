import { Button } from '@blueprintjs/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { TextField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { EditIcon, FloppyDiskIcon, TickIcon, TrashIcon } from '../../../components/icons';
import { limits, messages, say } from '../../../contract';
import type { ChosenTest } from '../chosen';
import { explainFailure, useFavoriteChanges, type Favorite } from '../favorites';
import { getShortcut } from '../shortcuts';
import styles from './FavoritesDialog.module.css';

interface FavoritesDialogProps {
  favorites: readonly Favorite[];
  chosenTests: readonly ChosenTest[];
  onClose: () => void;
}

/** Saves the current choice as a favorite; renames and removes favorites. */
export function FavoritesDialog({ favorites, chosenTests, onClose }: FavoritesDialogProps) {
  const changes = useFavoriteChanges();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [renamedId, setRenamedId] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);

  /** Focuses a button after the focused one has disappeared. */
  const focusButton = (button: string) =>
    list.current?.querySelector<HTMLElement>(`[data-act="${button}"]`)?.focus();

  const save = async () => {
    const newName = name.trim().toUpperCase();
    try {
      await changes.add(
        newName,
        chosenTests.map(({ test }) => test),
      );
      toasts.success(say(messages.FAVORITE_SAVED, { name: newName }));
      setName('');
    } catch (failure) {
      setError(explainFailure(failure));
    }
  };

  const remove = async (favorite: Favorite) => {
    const tests = [...favorite.tests, ...favorite.unavailable];
    const index = favorites.indexOf(favorite);
    const neighbor = favorites[index + 1] ?? favorites[index - 1];
    try {
      await changes.remove(favorite);
      if (neighbor) focusButton(`remove-${neighbor.id}`);
      toasts.undo(say(messages.FAVORITE_REMOVED, { name: favorite.name }), () => {
        changes.add(favorite.name, tests).catch((failure: unknown) => {
          toasts.error(explainFailure(failure));
        });
      });
    } catch (failure) {
      toasts.error(explainFailure(failure));
    }
  };

  return (
    <FormDialog
      isOpen
      title="Favorite Panels"
      width={limits.DIALOG_FAVORITES_WIDTH_PX}
      onClose={onClose}
    >
      <div className={styles['add']}>
        <TextField
          label="Name of the new favorite"
          name="favorite"
          upper
          value={name}
          maxLength={limits.FAVORITE_NAME_MAX}
          error={error}
          disabled={chosenTests.length === 0}
          helperText={
            chosenTests.length === 0
              ? 'Choose tests first, then save them here under a name.'
              : `Saves ${chosenTests.map(({ test }) => test.code).join(', ')}`
          }
          onChange={(next) => {
            setName(next);
            setError(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (name.trim() !== '') void save();
          }}
        />
        <ActButton
          icon={<FloppyDiskIcon />}
          intent="primary"
          isRunning={changes.busy}
          disabled={chosenTests.length === 0 || name.trim() === ''}
          onClick={() => void save()}
        >
          Save Favorite
        </ActButton>
      </div>
      {favorites.length === 0 ? (
        <div className="quiet">No favorites yet</div>
      ) : (
        <ul ref={list} aria-label="Favorites" className={styles['list']}>
          {favorites.map((favorite, index) => (
            <li key={favorite.id}>
              {renamedId === favorite.id ? (
                <RenameField
                  favorite={favorite}
                  onRename={(next) => changes.rename(favorite, next)}
                  onClose={() => {
                    flushSync(() => setRenamedId(null));
                    focusButton(`rename-${favorite.id}`);
                  }}
                />
              ) : (
                <>
                  <div className={styles['favorite']}>
                    <strong>{favorite.name}</strong>
                    {getShortcut(index) === '' ? null : <kbd>{getShortcut(index)}</kbd>}
                    <div className="quiet">
                      {favorite.tests.map(({ code }) => code).join(', ')}
                      {favorite.unavailable.length > 0 ? (
                        <s>{` ${favorite.unavailable.map(({ code }) => code).join(', ')}`}</s>
                      ) : null}
                    </div>
                  </div>
                  <Button
                    variant="minimal"
                    icon={<EditIcon />}
                    aria-label={`Rename ${favorite.name}`}
                    title="Rename"
                    data-act={`rename-${favorite.id}`}
                    onClick={() => setRenamedId(favorite.id)}
                  />
                  <Button
                    variant="minimal"
                    icon={<TrashIcon />}
                    aria-label={`Remove ${favorite.name}`}
                    title="Remove"
                    data-act={`remove-${favorite.id}`}
                    onClick={() => void remove(favorite)}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}

interface RenameProps {
  favorite: Favorite;
  onRename: (name: string) => Promise<unknown>;
  onClose: () => void;
}

const focusElement = (element: HTMLInputElement | null) => element?.focus();

/** The name as a field: Enter saves it, Escape discards the change. */
function RenameField({ favorite, onRename, onClose }: RenameProps) {
  const [name, setName] = useState(favorite.name);
  const [error, setError] = useState<string | undefined>();
  const isEmpty = name.trim() === '';
  const save = async () => {
    if (isEmpty) return;
    try {
      if (name.trim().toUpperCase() !== favorite.name) await onRename(name);
      onClose();
    } catch (failure) {
      setError(explainFailure(failure));
    }
  };
  return (
    <>
      <TextField
        label={`New name of ${favorite.name}`}
        hideLabel
        name="rename"
        upper
        className={styles['favorite']}
        value={name}
        maxLength={limits.FAVORITE_NAME_MAX}
        error={error}
        inputRef={focusElement}
        onChange={(next) => {
          setName(next);
          setError(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void save();
        }}
      />
      <Button
        variant="minimal"
        icon={<TickIcon />}
        aria-label={`Save the name of ${favorite.name}`}
        disabled={isEmpty}
        onClick={() => void save()}
      />
    </>
  );
}
