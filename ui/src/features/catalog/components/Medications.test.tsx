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
  const waitForList = async (search: string) => {
    await waitFor(() => expect(view.requests.at(-1)?.query.get('search')).toBe(search));
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  };
  return { ...view, waitForList, box: screen.getByRole('combobox', { name: 'Medication' }) };
}

describe('Medications', () => {
  it('mark the first match on Enter, and add it on a second Enter', async () => {
    const { user, box, waitForList } = await openField();
    await user.type(box, 'metf');
    await waitForList('METF');
    const first = await screen.findByRole('option', { name: 'METFORMIN' });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(first).toHaveAttribute('data-active', 'true'));
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove METFORMIN' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove METF' })).toBeNull();
  });

  it('select a complete name or the only match, even if Enter comes before the matches', async () => {
    const { user, box } = await openField();
    await user.type(box, 'metformin{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove METFORMIN' })).toBeVisible();
    await user.type(box, 'glip{Enter}');
    const name = 'Remove METFORMIN AND GLIPIZIDE';
    expect(await screen.findByRole('button', { name })).toBeVisible();
  });

  it('add nothing on Enter if several medications match', async () => {
    const { user, box } = await openField();
    await user.type(box, 'metf{Enter}');
    const reason = say(messages.SEVERAL_MATCHES, { text: 'METF' });
    expect(await screen.findByText(reason)).toBeVisible();
    expect(box).toHaveValue('METF');
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });

  it('accept the typed text by arrow key and Enter', async () => {
    const { user, box } = await openField();
    await user.type(box, 'metf');
    await screen.findByRole('option', { name: 'Add METF' });
    await user.keyboard('{ArrowUp}{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove METF' })).toBeVisible();
  });

  it('say that a medication is already on the list', async () => {
    const { user, box } = await openField();
    await user.type(box, 'own mix{Enter}');
    await screen.findByRole('button', { name: 'Remove OWN MIX' });
    await user.type(box, 'own mix{Enter}');
    const text = say(messages.ALREADY_LISTED, { name: 'OWN MIX' });
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('add a text that matches nothing, and offer any typed text as a choice', async () => {
    const { user, box } = await openField();
    await user.type(box, 'own mix{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove OWN MIX' })).toBeVisible();
    await user.type(box, 'metf');
    await user.click(await screen.findByRole('option', { name: 'Add METF' }));
    expect(await screen.findByRole('button', { name: 'Remove METF' })).toBeVisible();
  });
});
