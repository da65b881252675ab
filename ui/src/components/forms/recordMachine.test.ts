import { describe, expect, it } from 'vitest';

import { createState, RecordMachine, transition, type RecordState } from './recordMachine';

interface Values {
  name: string;
  room: string;
}
interface SavedRecord extends Values {
  version: number;
}

const buildValues = (name: string, room = '1'): Values => ({ name, room });
const buildRecord = (version: number, name: string, room = '1'): SavedRecord => ({
  ...buildValues(name, room),
  version,
});
const openRecord = (): RecordState<Values, SavedRecord> =>
  createState(buildRecord(3, 'A'), buildValues('A'));
const attempt = { typedValues: buildValues('B'), send: () => Promise.resolve(buildRecord(4, 'B')) };
const openDirty = (): RecordState<Values, SavedRecord> =>
  transition(openRecord(), { type: 'rendered', isDirty: true }).state;
const rebase = (state: RecordState<Values, SavedRecord>, latest: SavedRecord, mine: Values) =>
  transition(state, {
    type: 'rebased',
    latest,
    values: buildValues(latest.name, latest.room),
    before: state.base,
    mine,
    options: {},
    isAnnounced: true,
    isRestored: false,
    savedBy: null,
  });

describe('A saved form', () => {
  it('is clean, has the new version and shows the saved values', () => {
    const { state, update } = transition(openDirty(), {
      type: 'saved',
      record: buildRecord(4, 'B'),
      values: buildValues('B'),
      sent: buildValues('B'),
      shownValues: buildValues('B'),
    });
    expect(state).toMatchObject({ version: 4, isDirty: false, base: buildValues('B') });
    expect(update).toEqual({ base: buildValues('B'), shownValues: buildValues('B') });
  });

  it('keeps edits made since the save was sent', () => {
    const { state, update } = transition(openDirty(), {
      type: 'saved',
      record: buildRecord(4, 'B'),
      values: buildValues('B'),
      sent: buildValues('B'),
      shownValues: buildValues('B', '2'),
    });
    expect(state.isDirty).toBe(true);
    expect(update).toEqual({ base: buildValues('B'), shownValues: buildValues('B', '2') });
  });
});

describe('A save without an answer', () => {
  const unansweredState = transition(openDirty(), { type: 'unanswered', attempt }).state;

  it('stays unconfirmed and leaves the fields alone', () => {
    expect(unansweredState.unconfirmedAttempt).toBe(attempt);
    expect(transition(openDirty(), { type: 'unanswered', attempt }).update).toBeNull();
  });

  it.each([
    { type: 'rejected' } as const,
    { type: 'adopted', record: buildRecord(4, 'B'), values: buildValues('B') } as const,
    { type: 'cleared', values: buildValues('') } as const,
    { type: 'restored', values: buildValues('C') } as const,
  ])('is confirmed or dropped by %o', (event) => {
    expect(transition(unansweredState, event).state.unconfirmedAttempt).toBeNull();
  });
});

describe('A newer record', () => {
  it('keeps the edits and is the base of the next save', () => {
    const { state, update } = rebase(openDirty(), buildRecord(5, 'A', '9'), buildValues('B'));
    expect(state).toMatchObject({ version: 5, isDirty: true, base: buildValues('A', '9') });
    expect(update).toEqual({ base: buildValues('A', '9'), shownValues: buildValues('B', '9') });
    expect(state.conflict).toMatchObject({ adopted: ['room'], contested: [], hasOwnChanges: true });
  });

  it('is announced once', () => {
    const first = rebase(openDirty(), buildRecord(5, 'A', '9'), buildValues('B')).state;
    const resolvedState = transition(first, { type: 'keptMine' }).state;
    expect(rebase(first, buildRecord(5, 'A', '9'), buildValues('C')).state.conflict).toBe(
      first.conflict,
    );
    expect(resolvedState.conflict).toBeNull();
  });

  it('leaves nothing to save when both made the same change', () => {
    expect(rebase(openDirty(), buildRecord(5, 'B'), buildValues('B')).state.isDirty).toBe(false);
  });
});

describe('The record machine', () => {
  it('answers with the current state before rendering', () => {
    const machine = new RecordMachine<Values, SavedRecord>(openRecord());
    machine.send({ type: 'rendered', isDirty: true });
    expect(machine.getState().isDirty).toBe(true);
    machine.send({ type: 'navigationAllowed' });
    expect(machine.getState().isDirty).toBe(false);
  });

  it('notifies its listeners until they unsubscribe', () => {
    const machine = new RecordMachine<Values, SavedRecord>(openRecord());
    let count = 0;
    const unsubscribe = machine.subscribe(() => (count += 1));
    machine.send({ type: 'rendered', isDirty: true });
    unsubscribe();
    machine.send({ type: 'rendered', isDirty: false });
    expect(count).toBe(1);
  });

  it('remembers restored values when the form is cleared, so that they are not a new draft', () => {
    const machine = new RecordMachine<Values, SavedRecord>(
      createState<Values, SavedRecord>(undefined, buildValues('')),
    );
    expect(machine.send({ type: 'restored', values: buildValues('C') })).toEqual({
      shownValues: buildValues('C'),
    });
    machine.send({ type: 'cleared', values: buildValues('') });
    expect(machine.getState().restoredValues).toEqual(buildValues('C'));
  });
});
