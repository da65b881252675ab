import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { SelectField } from './SelectField';
import { useAddingSelect } from './useAddingSelect';

const options = ['Cefazolin', 'Cefuroxime'].map((name) => ({ value: name, label: name }));

function Adder({ onAdd }: { onAdd: (value: string) => void }) {
  const adding = useAddingSelect(onAdd);
  return <SelectField label="Add" placeholder="Choose" options={options} {...adding} />;
}

function renderAdder() {
  const onAdd = vi.fn();
  render(<Adder onAdd={onAdd} />);
  const select = screen.getByRole('combobox', { name: 'Add' });
  const type = (key: string, value: string) => {
    fireEvent.keyDown(select, { key });
    fireEvent.change(select, { target: { value } });
  };
  return { onAdd, select, type };
}

describe('A select that adds to a list', () => {
  it('adds a choice of the mouse, or of the opened list, at once', () => {
    const { onAdd, select, type } = renderAdder();
    type('c', 'Cefazolin');
    fireEvent.pointerDown(select);
    fireEvent.change(select, { target: { value: 'Cefuroxime' } });
    expect(onAdd.mock.calls).toEqual([['Cefuroxime']]);
    type(' ', 'Cefazolin');
    expect(onAdd.mock.calls).toEqual([['Cefuroxime'], ['Cefazolin']]);
  });

  it('adds what was typed on the closed list once, by Enter', () => {
    const { onAdd, select, type } = renderAdder();
    type('c', 'Cefazolin');
    type('ArrowDown', 'Cefuroxime');
    expect(onAdd).not.toHaveBeenCalled();
    fireEvent.keyDown(select, { key: 'Enter' });
    expect(onAdd.mock.calls).toEqual([['Cefuroxime']]);
    expect(select).toHaveValue('');
  });

  it.each([
    ['a shortcut', (select: HTMLElement) => fireEvent.keyDown(select, { key: 's', ctrlKey: true })],
    ['leaving it', (select: HTMLElement) => fireEvent.blur(select)],
  ])('adds what was typed before %s', (_, leave) => {
    const { onAdd, select, type } = renderAdder();
    type('c', 'Cefazolin');
    leave(select);
    expect(onAdd.mock.calls).toEqual([['Cefazolin']]);
  });
});
