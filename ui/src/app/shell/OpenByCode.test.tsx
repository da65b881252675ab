import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../contract';
import type { Answers } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { OpenByCode } from './OpenByCode';

const PATH = '/api/v2/requisitions/by-code';
const found = { requisitionId: 12, requisitionCode: 'R260000123', orderId: 5, orderCode: null };

async function draw(answers: Answers = { [`GET ${PATH}`]: found }) {
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

describe('A code that is scanned on any screen', () => {
  it('opens its requisition and presses nothing else', async () => {
    const { user, device } = await draw();
    const button = screen.getByRole('button', { name: 'Press me' });
    let pressed = 0;
    button.addEventListener('click', () => (pressed += 1));
    button.focus();
    await user.keyboard('r260000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/requisitions/create;id=12']));
    expect(pressed).toBe(0);
  });

  it('is heard while a radio button has the focus, which takes no text', async () => {
    const { user, device } = await draw();
    screen.getByRole('radio').focus();
    await user.keyboard('R260000123{Enter}');
    await waitFor(() => expect(device.windows).toHaveLength(1));
  });

  it('opens the results of an order by its number', async () => {
    const { user, device } = await draw();
    await user.keyboard('L260000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/results/order;id=5']));
  });

  it('says when there is none', async () => {
    const { user, device } = await draw({ [`GET ${PATH}`]: () => null });
    await user.keyboard('R269999999{Enter}');
    expect(
      await screen.findByText(say(messages.CODE_NOT_FOUND, { code: 'R269999999' })),
    ).toBeVisible();
    expect(device.windows).toEqual([]);
  });

  it('stays where it is typed when a field has the focus', async () => {
    const { user, seen } = await draw();
    const field = screen.getByRole('textbox', { name: 'Field' });
    await user.click(field);
    await user.keyboard('R260000123{Enter}');
    expect(field).toHaveValue('R260000123');
    expect(seen.some(({ path }) => path === PATH)).toBe(false);
  });

  it('leaves Enter alone after what is no code', async () => {
    const { user, seen } = await draw();
    const button = screen.getByRole('button', { name: 'Press me' });
    let pressed = 0;
    button.addEventListener('click', () => (pressed += 1));
    button.focus();
    await user.keyboard('R12{Enter}');
    expect(pressed).toBe(1);
    expect(seen.some(({ path }) => path === PATH)).toBe(false);
  });
});

describe('Asking for a code', () => {
  it('is a key away, and refuses what can be none', async () => {
    const { user, device } = await draw();
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('textbox', { name: /Requisition Id/ });
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('r26{Enter}');
    expect(await screen.findByText(messages.CODE_INVALID)).toBeVisible();
    await user.keyboard('0000123{Enter}');
    await waitFor(() => expect(device.windows).toEqual(['/secured/requisitions/create;id=12']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
