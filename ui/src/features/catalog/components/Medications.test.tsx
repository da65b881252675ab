import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { buildPage, type SentRequest } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { Medications } from './Medications';

const NAMES = ['METFORMIN', 'METFORMIN AND GLIPIZIDE'];

function Field() {
  const [value, setValue] = useState<string[]>([]);
  return <Medications value={value} onChange={setValue} />;
}

async function openField() {
  const answer = ({ query }: SentRequest) => {
    const search = (query.get('search') ?? '').toUpperCase();
    return buildPage(
      NAMES.filter((name) => name.includes(search)).map((name, id) => ({ id: id + 1, name })),
    );
  };
  const view = await renderPortal(<Field />, {
    answers: { 'GET /api/v2/medications/remote-operations': answer },
  });
  return { ...view, box: screen.getByRole('combobox', { name: 'Medication' }) };
}

describe('Medications', () => {
  it('take the marked line on Enter, never half a word', async () => {
    const { user, box } = await openField();
    await user.type(box, 'metf');
    const first = await screen.findByRole('option', { name: 'METFORMIN' });
    await waitFor(() => expect(first).toHaveAttribute('data-active', 'true'));
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove METFORMIN' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove METF' })).toBeNull();
  });

  it('take the first line even if Enter comes before the answer', async () => {
    const { user, box } = await openField();
    await user.type(box, 'metf{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove METFORMIN' })).toBeVisible();
  });

  it('say that a medication is already on the list', async () => {
    const { user, box } = await openField();
    await user.type(box, 'own mix{Enter}');
    await screen.findByRole('button', { name: 'Remove OWN MIX' });
    await user.type(box, 'own mix{Enter}');
    const text = say(messages.ALREADY_LISTED, { name: 'OWN MIX' });
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('accept a text that matches no line, and the typed text by its own line', async () => {
    const { user, box } = await openField();
    await user.type(box, 'own mix{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove OWN MIX' })).toBeVisible();
    await user.type(box, 'metf');
    await user.click(await screen.findByRole('option', { name: 'Add METF' }));
    expect(await screen.findByRole('button', { name: 'Remove METF' })).toBeVisible();
  });
});
