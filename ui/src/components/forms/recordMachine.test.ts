import { describe, expect, it } from 'vitest';

import { begin, RecordMachine, transition, type RecordState } from './recordMachine';

interface Values {
  name: string;
  room: string;
}
interface Saved extends Values {
  version: number;
}

const values = (name: string, room = '1'): Values => ({ name, room });
const record = (version: number, name: string, room = '1'): Saved => ({
  ...values(name, room),
  version,
});
const opened = (): RecordState<Values, Saved> => begin(record(3, 'A'), values('A'));
const attempt = { typed: values('B'), send: () => Promise.resolve(record(4, 'B')) };
const dirty = (): RecordState<Values, Saved> =>
  transition(opened(), { type: 'drawn', isDirty: true }).state;
const rebased = (state: RecordState<Values, Saved>, latest: Saved, mine: Values) =>
  transition(state, {
    type: 'rebased',
    latest,
    values: values(latest.name, latest.room),
    before: state.base,
    mine,
    rules: {},
    isTold: true,
    isRestored: false,
  });

describe('A saved form', () => {
  it('is clean, of the new version, and shows what was saved', () => {
    const { state, fill } = transition(dirty(), {
      type: 'saved',
      record: record(4, 'B'),
      values: values('B'),
      sent: values('B'),
      shown: values('B'),
    });
    expect(state).toMatchObject({ version: 4, isDirty: false, base: values('B') });
    expect(fill).toEqual({ base: values('B'), shown: values('B') });
  });

  it('keeps what was typed since it was sent, unsaved', () => {
    const { state, fill } = transition(dirty(), {
      type: 'saved',
      record: record(4, 'B'),
      values: values('B'),
      sent: values('B'),
      shown: values('B', '2'),
    });
    expect(state.isDirty).toBe(true);
    expect(fill).toEqual({ base: values('B'), shown: values('B', '2') });
  });
});

describe('A save without an answer', () => {
  const open = transition(dirty(), { type: 'unanswered', attempt }).state;

  it('stays open, and leaves the fields alone', () => {
    expect(open.unconfirmed).toBe(attempt);
    expect(transition(dirty(), { type: 'unanswered', attempt }).fill).toBeNull();
  });

  it.each([
    { type: 'refused' } as const,
    { type: 'adopted', record: record(4, 'B'), values: values('B') } as const,
    { type: 'cleared', values: values('') } as const,
    { type: 'restored', values: values('C') } as const,
  ])('is closed by what decides it: %o', (event) => {
    expect(transition(open, event).state.unconfirmed).toBeNull();
  });
});

describe('A newer record', () => {
  it('takes the edits on top, and the next save is made on it', () => {
    const { state, fill } = rebased(dirty(), record(5, 'A', '9'), values('B'));
    expect(state).toMatchObject({ version: 5, isDirty: true, base: values('A', '9') });
    expect(fill).toEqual({ base: values('A', '9'), shown: values('B', '9') });
    expect(state.conflict).toMatchObject({ adopted: ['room'], contested: [], someMine: true });
  });

  it('is told of once', () => {
    const first = rebased(dirty(), record(5, 'A', '9'), values('B')).state;
    const kept = transition(first, { type: 'keptMine' }).state;
    expect(rebased(first, record(5, 'A', '9'), values('C')).state.conflict).toBe(first.conflict);
    expect(kept.conflict).toBeNull();
  });

  it('leaves nothing to save where both made the same of it', () => {
    expect(rebased(dirty(), record(5, 'B'), values('B')).state.isDirty).toBe(false);
  });
});

describe('The machine', () => {
  it('answers for this moment, before anything is drawn', () => {
    const machine = new RecordMachine<Values, Saved>(opened());
    machine.send({ type: 'drawn', isDirty: true });
    expect(machine.state().isDirty).toBe(true);
    machine.send({ type: 'navigationAllowed' });
    expect(machine.state().isDirty).toBe(false);
  });

  it('tells its listeners until they leave', () => {
    const machine = new RecordMachine<Values, Saved>(opened());
    let heard = 0;
    const leave = machine.subscribe(() => (heard += 1));
    machine.send({ type: 'drawn', isDirty: true });
    leave();
    machine.send({ type: 'drawn', isDirty: false });
    expect(heard).toBe(1);
  });

  it('keeps what was put in through a clear, so that it makes no draft', () => {
    const machine = new RecordMachine<Values, Saved>(begin<Values, Saved>(undefined, values('')));
    expect(machine.send({ type: 'restored', values: values('C') })).toEqual({ shown: values('C') });
    machine.send({ type: 'cleared', values: values('') });
    expect(machine.state().restored).toEqual(values('C'));
  });
});
