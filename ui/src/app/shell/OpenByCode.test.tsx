import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../contract';
import type { Answers, SentRequest } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { OpenByCode } from './OpenByCode';

const PATH = '/api/v2/requisitions/by-code';
const match = { requisitionId: 12, requisitionCode: 'R260000123', orderId: 5, orderCode: null };

async function renderPage(answers: Answers = { [`GET ${PATH}`]: match }) {
  const page = (
    <>
      <OpenByCode />
      <input aria-label="Field" />
      <button type="button">Press me</button>
      <input type="radio" aria-label="All" />
    </>
  );
  return renderPortal(page, { answers });
}

describe('A scanned code', () => {
  it('opens its requisition and presses nothing else', async () => {
    const { user, device } = await renderPage();
    const button = screen.getByRole('button', { name: 'Press me' });
    let clicks = 0;
    button.addEventListener('click', () => (clicks += 1));
    button.focus();
    await user.keyboard('r260000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/requisitions/create;id=12']));
    expect(clicks).toBe(0);
  });

  it('is read while a radio button has the focus', async () => {
    const { user, device } = await renderPage();
    screen.getByRole('radio').focus();
    await user.keyboard('R260000123{Enter}');
    await waitFor(() => expect(device.windows).toHaveLength(1));
  });

  it('opens the results of an order by its number', async () => {
    const { user, device } = await renderPage();
    await user.keyboard('L260000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/results/order;id=5']));
  });

  it('is reported when no record has it', async () => {
    const { user, device } = await renderPage({ [`GET ${PATH}`]: () => null });
    await user.keyboard('R269999999{Enter}');
    expect(
      await screen.findByText(say(messages.CODE_NOT_FOUND, { code: 'R269999999' })),
    ).toBeVisible();
    expect(device.windows).toEqual([]);
  });

  it('is read completely right after Ctrl+K, before the dialog has the focus', async () => {
    const { user, device } = await renderPage();
    await user.keyboard('{Control>}k{/Control}');
    // A scanner sends its keys to the element that had the focus when the dialog opened.
    for (const key of ['r', '2', '6', '0', '0', '0', '0', '1', '2', '3', 'Enter'])
      fireEvent.keyDown(document.body, { key });
    await waitFor(() => expect(device.windows).toEqual(['/secured/requisitions/create;id=12']));
  });

  it('goes into the focused field, if there is one', async () => {
    const { user, requests } = await renderPage();
    const field = screen.getByRole('textbox', { name: 'Field' });
    await user.click(field);
    await user.keyboard('R260000123{Enter}');
    expect(field).toHaveValue('R260000123');
    expect(requests.some(({ path }) => path === PATH)).toBe(false);
  });

  it('does not handle Enter after text that is not a code', async () => {
    const { user, requests } = await renderPage();
    const button = screen.getByRole('button', { name: 'Press me' });
    let clicks = 0;
    button.addEventListener('click', () => (clicks += 1));
    button.focus();
    await user.keyboard('R12{Enter}');
    expect(clicks).toBe(1);
    expect(requests.some(({ path }) => path === PATH)).toBe(false);
  });
});

describe('The dialog for a code', () => {
  it('opens by a shortcut and rejects invalid codes', async () => {
    const { user, device } = await renderPage();
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('textbox', { name: /Requisition Id/ });
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('r26{Enter}');
    expect(await screen.findByText(messages.CODE_INVALID)).toBeVisible();
    await user.keyboard('0000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/requisitions/create;id=12']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('marks a code that no record has, and the next code replaces it', async () => {
    const answers: Answers = {
      [`GET ${PATH}`]: ({ query }: SentRequest) =>
        query.get('code') === match.requisitionCode ? match : null,
    };
    const { user, device } = await renderPage(answers);
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('textbox', { name: /Requisition Id/ });
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('r269999999{Enter}');
    const message = say(messages.CODE_NOT_FOUND, { code: 'R269999999' });
    await waitFor(() => expect(field).toHaveAccessibleDescription(message));
    expect(field).toBeInvalid();
    expect(field).toHaveFocus();
    await user.keyboard('r260000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/requisitions/create;id=12']));
  });
});

describe('A link with a code', () => {
  const renderLink = (openCode: string, answer: unknown) =>
    renderPortal(<OpenByCode />, {
      answers: { [`GET ${PATH}`]: () => answer },
      parameters: { openCode },
      path: `/secured/results/lab;openCode=${openCode}`,
    });

  it('opens its requisition in this window', async () => {
    const { router, device } = await renderLink('R260000123', match);
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/secured/requisitions/create;id=12'),
    );
    expect(device.windows).toEqual([]);
  });

  it('is reported when no record has the code', async () => {
    const { router } = await renderLink('R269999999', null);
    expect(
      await screen.findByText(say(messages.CODE_NOT_FOUND, { code: 'R269999999' })),
    ).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
  });
});
