import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { renderPortal } from '../../test/render';
import { AsyncPicker } from './AsyncPicker';

const codes = ['E11', 'E11.9', 'I10'];
const matching = (search: string) => Promise.resolve(codes.filter((one) => one.includes(search)));

type Wait = (text: string) => Promise<void>;

function Held({ onTake, wait }: { onTake: (code: string) => void; wait: Wait | undefined }) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <AsyncPicker<string>
      label="Code"
      adds
      value={value}
      queryKey={['codes']}
      load={matching}
      itemKey={(code) => code}
      itemText={(code) => code}
      onChange={(code) => {
        setValue(code);
        if (code !== null) onTake(code);
      }}
      onEnterText={async (text) => {
        await wait?.(text);
        return codes.includes(text);
      }}
    />
  );
}

async function draw(wait?: Wait) {
  const onTake = vi.fn();
  const view = await renderPortal(<Held onTake={onTake} wait={wait} />);
  return { ...view, onTake, field: screen.getByRole('combobox', { name: 'Code' }) };
}

describe('A picker that searches', () => {
  it('never takes a line that is none for what is typed', async () => {
    const { user, field, onTake } = await draw();
    await user.type(field, 'I');
    await screen.findByRole('option', { name: 'I10' });
    // The list is still that of 'I'.
    await user.clear(field);
    await user.type(field, 'E11.{ArrowDown}{Enter}');
    await new Promise((passed) => setTimeout(passed, 400));
    expect(onTake).not.toHaveBeenCalledWith('I10');
  });

  it('gives words back that were refused', async () => {
    let answer: () => void = () => undefined;
    const { user, field } = await draw(() => new Promise((resolve) => (answer = resolve)));
    await user.type(field, 'nothing{Enter}');
    expect(field).toHaveValue('');
    expect(field).toHaveAttribute('data-unentered', 'nothing');
    answer();
    await waitFor(() => expect(field).toHaveValue('nothing'));
  });

  it('keeps what is typed while the words before are looked up', async () => {
    let answer: () => void = () => undefined;
    const { user, field } = await draw(() => new Promise((resolve) => (answer = resolve)));
    await user.type(field, 'nothing{Enter}I1');
    answer();
    await waitFor(() => expect(field).toHaveAttribute('data-unentered', 'I1'));
    expect(field).toHaveValue('I1');
  });

  it('marks every word that is still looked up, not only the last', async () => {
    const answers = new Map<string, () => void>();
    const { user, field } = await draw(
      (text) => new Promise((resolve) => answers.set(text, resolve)),
    );
    await user.type(field, 'E11{Enter}I10{Enter}');
    expect(field).toHaveAttribute('data-unentered', 'E11');
    answers.get('E11')?.();
    await waitFor(() => expect(field).toHaveAttribute('data-unentered', 'I10'));
    answers.get('I10')?.();
    await waitFor(() => expect(field).not.toHaveAttribute('data-unentered'));
  });

  it('closes its list when the focus is taken elsewhere', async () => {
    const { user, field } = await draw();
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11' });
    const elsewhere = document.body.appendChild(document.createElement('button'));
    act(() => elsewhere.focus());
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    elsewhere.remove();
  });

  it('keeps words that were to be added when it is left', async () => {
    const { user, field } = await draw();
    await user.type(field, 'E1{Tab}');
    expect(field).toHaveValue('E1');
  });
});
