import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { ApiError, describeError } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { TextField } from '../../../components/fields/TextField';
import { EditIcon, TrashIcon } from '../../../components/icons';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { focusHome, useLostFocus } from '../../../components/lostFocus';
import { toasts } from '../../../components/toasts';
import { limits, messages, say } from '../../../contract';
import { storedSearchesQuery, useStoredSearchChanges, type StoredSearch } from '../api';
import styles from './orderSearch.module.css';

/** Returns the portal's message about a saved search: about a field, or else the general one. */
export const explainFailure = (error: unknown): string =>
  (error instanceof ApiError ? error.errors[0]?.message : undefined) ?? describeError(error);

interface SavedSearchesDialogProps {
  onOpen: (search: StoredSearch) => void;
  onRenamed: (search: StoredSearch) => void;
  onRemoved: (search: StoredSearch) => void;
  onClose: () => void;
}

const WIDTH_PX = 520;

/** Opens, renames and removes the user's searches. */
export function SavedSearchesDialog(props: SavedSearchesDialogProps) {
  const loadState = toLoadState(useQuery(storedSearchesQuery()));
  const changes = useStoredSearchChanges();
  const [searchToRename, setSearchToRename] = useState<StoredSearch | null>(null);
  const list = useRef<HTMLDivElement>(null);
  // The button of a removed search disappears. Without the focus, the dialog misses Escape.
  useLostFocus(list, changes.isRunning, () => list.current && focusHome(list.current));
  const remove = async (search: StoredSearch) => {
    try {
      await changes.remove(search);
      props.onRemoved(search);
      const { name, query, columns, sort } = search;
      toasts.undo(say(messages.SAVED_SEARCH_REMOVED, { name }), () => {
        changes.create({ name, query, columns, sort }).catch((failure: unknown) => {
          toasts.error(explainFailure(failure));
        });
      });
    } catch (failure) {
      toasts.error(explainFailure(failure));
    }
  };
  if (searchToRename !== null) {
    return (
      <NameDialog
        title="Rename Search"
        name={searchToRename.name}
        onSave={async (name) => {
          const renamedSearch = await changes.update(searchToRename, { name });
          if (renamedSearch) props.onRenamed(renamedSearch);
        }}
        onClose={() => setSearchToRename(null)}
      />
    );
  }
  return (
    <FormDialog isOpen title="Saved Searches" width={WIDTH_PX} onClose={props.onClose}>
      <div ref={list} tabIndex={-1}>
        <Loaded loadState={loadState}>
          {(searches) =>
            searches.length === 0 ? (
              <div className="quiet">
                No saved searches yet. Save the conditions and columns of a search with Save As.
              </div>
            ) : (
              <ul aria-label="Saved searches" className={styles['list']}>
                {searches.map((search) => (
                  <li key={search.id}>
                    <div className={styles['stored']}>
                      <Button
                        variant="minimal"
                        intent="primary"
                        ellipsizeText
                        onClick={() => props.onOpen(search)}
                      >
                        {search.name}
                      </Button>
                    </div>
                    <Button
                      variant="minimal"
                      icon={<EditIcon />}
                      aria-label={`Rename ${search.name}`}
                      title="Rename"
                      onClick={() => setSearchToRename(search)}
                    />
                    <Button
                      variant="minimal"
                      icon={<TrashIcon />}
                      aria-label={`Delete ${search.name}`}
                      title="Delete"
                      disabled={changes.isRunning}
                      onClick={() => void remove(search)}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </FormDialog>
  );
}

interface NameDialogProps {
  title: string;
  name: string;
  /** Rejects with the portal's error, which is shown at the name. */
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the name of a search. */
export function NameDialog({ title, onSave, onClose, ...props }: NameDialogProps) {
  const [name, setName] = useState(props.name);
  const [error, setError] = useState<string | undefined>();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    try {
      await onSave(name.trim());
      onClose();
    } catch (failure) {
      setError(explainFailure(failure));
      setIsSaving(false);
    }
  };
  return (
    <FormDialog
      isOpen
      title={title}
      width={WIDTH_PX}
      onClose={onClose}
      onSubmit={() => void save()}
      busy={isSaving}
      submitDisabled={name.trim() === ''}
    >
      <TextField
        label="Name"
        required
        value={name}
        maxLength={limits.SAVED_SEARCH_NAME_MAX}
        error={error}
        onChange={(next) => {
          setName(next);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
