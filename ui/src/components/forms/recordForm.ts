/** What `useRecordForm` takes and returns. */

import type { ReactElement } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';

import type { ApiError } from '../../api';
import type { ConflictOptions } from './conflict';
import type { VersionedRecord } from './recordMachine';

/** What a save must send: `Idempotency-Key` and `If-Match`. */
export interface SaveContext {
  idempotencyKey: string;
  version: number | undefined;
}

export interface RecordFormOptions<
  Values extends FieldValues,
  Saved extends VersionedRecord,
> extends ConflictOptions<Values, Saved> {
  schema: z.ZodType<Values, Values>;
  /** The values of a blank form. */
  defaults: Values;
  /** The record being edited; undefined for a new one. */
  record?: Saved | undefined;
  toValues: (record: Saved) => Values;
  /** Saves a new record, or changes `record` as last read or saved. */
  save: (values: Values, context: SaveContext, record: Saved | undefined) => Promise<Saved>;
  /** Reloads the record after a 412. */
  reload?: ((record: Saved) => Promise<Saved>) | undefined;
  /** Called when everything in the form is saved. */
  onSaved?: ((record: Saved) => void) | undefined;
  /** Called when a new record exists. The form continues at its address with any later edits. */
  onCreated?: ((record: Saved) => void) | undefined;
  /** Returns the form field for a field of the wire, if the names differ. */
  findField?:
    ((wireField: string, rejection: RejectedSave<Values, Saved>) => string | null) | undefined;
  /** Returns the message for a failure that this screen explains, or null for the default. */
  explain?:
    ((error: ApiError, rejection: RejectedSave<Values, Saved>) => string | null) | undefined;
  /** Shows the message of a failure; by default a toast. */
  showError?: ((sentence: string) => void) | undefined;
  /**
   * Stores a draft. Called shortly after the last change with the unsaved values, the version they
   * are based on, and the values of the changed fields in that version. Returns whether it is
   * stored.
   */
  onDraft?:
    | ((values: Values, version: number | undefined, base: Partial<Values>) => Promise<boolean>)
    | undefined;
  /** Called when the draft is no longer needed: saved, or knowingly discarded. */
  onDraftObsolete?: (() => void) | undefined;
  /** Whether leaving would lose content that no draft stores. The function is stable. */
  hasUnsent?: (() => boolean) | undefined;
}

/** A rejected save: the values sent, and the record they were meant to change. */
export interface RejectedSave<Values, Saved> {
  typedValues: Values;
  record: Saved | undefined;
}

export interface RecordForm<Values extends FieldValues, Saved extends VersionedRecord> {
  form: UseFormReturn<Values>;
  /** The record as last read or saved; undefined for a new one. */
  record: Saved | undefined;
  /** Validates and saves. Returns the saved record, or null if nothing was saved. */
  submit: () => Promise<Saved | null>;
  isSaving: boolean;
  /**
   * Waits for a save in progress. Returns false if it failed. Call it before acting on the saved
   * record.
   */
  finishSave: () => Promise<boolean>;
  isDirty: boolean;
  /** Whether a save got no answer. The portal may have made it; the next save sends it again. */
  isUnconfirmed: boolean;
  /** Whether there is something to save: edits, or a save that got no answer. */
  hasUnsaved: boolean;
  /** Whether somebody else saved first, and the user has not decided yet. */
  isInConflict: boolean;
  /** Whether there is something to save, and neither a conflict nor a save in progress. */
  canSave: boolean;
  /** Like `isDirty`, but current even after a wait. */
  isDirtyNow: () => boolean;
  /**
   * Applies the edits to `latest`, which somebody else saved, and announces the conflict. `state`
   * says what happened to the record; null if it was only saved.
   */
  showConflict: (latest: Saved, savedBy?: string | null, state?: string | null) => void;
  /** Shows a record changed by another action (sign, cancel) and discards edits. */
  adopt: (record: Saved) => void;
  /** Returns to a blank form. */
  clear: () => void;
  /** Lets the next navigation discard unsaved values, because the user was already asked. */
  allowNavigation: () => void;
  /** Stores the unsaved values as a draft at once. Returns false if that failed. */
  storeDraft: () => Promise<boolean>;
  /** Fills a blank form with unsaved values. */
  restore: (values: Values) => void;
  /** Applies unsaved edits of a draft to the record as it is now. */
  restoreEdits: (values: Values, editBase: EditBase<Values>) => void;
  /** The conflict banner and the unsaved-changes question; render it once in the form. */
  notices: ReactElement;
}

/** The basis of edits: the version, if known, and the known values of its fields. */
export interface EditBase<Values> {
  version: number | undefined;
  base: Partial<Values>;
}
