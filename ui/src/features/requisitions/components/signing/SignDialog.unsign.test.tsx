import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { messages } from '../../../../contract';
import { buildProblem, type Answers } from '../../../../test/portal';
import { buildProfile, renderPortal } from '../../../../test/render';
import { SignDialog, UnsignDialog } from './SignDialog';

const signer = {
  ...buildProfile(),
  data: { ...buildProfile().data, signImage: 'data:image/png;base64,AAAA' },
};
const login = { 'POST /auth/login': { token: 'fresh', user: signer } };

async function openUnsign(answers: Answers) {
  const onUnsigned = vi.fn();
  const view = await renderPortal(
    <UnsignDialog
      targets={[{ id: 12, version: 3, name: 'R260000012 · LOPEZ, MARIA' }]}
      onClose={vi.fn()}
      onUnsigned={onUnsigned}
      onStale={vi.fn()}
    />,
    { user: signer, answers },
  );
  const clickUnsign = () => view.user.click(screen.getByRole('button', { name: 'Unsign' }));
  return { ...view, clickUnsign, onUnsigned };
}

describe('Unsigning', () => {
  it('checks the password first and reports success', async () => {
    const view = await openUnsign({ ...login, 'POST /api/v2/requisitions/12/unsign': {} });
    expect(screen.getByText(messages.CONFIRM_UNSIGN)).toBeVisible();
    expect(screen.getByText('R260000012 · LOPEZ, MARIA')).toBeVisible();
    await view.clickUnsign();
    expect(await screen.findByText(messages.PASSWORD_REQUIRED)).toBeVisible();
    await view.user.type(screen.getByLabelText(/Password/), 'Portal-2026!');
    await view.clickUnsign();
    expect(await screen.findByText(messages.REQUISITION_UNSIGNED)).toBeVisible();
    expect(view.onUnsigned).toHaveBeenCalled();
    const write = view.requests.at(-1);
    expect(write?.path).toBe('/api/v2/requisitions/12/unsign');
    expect(write?.headers.get('Authorization')).toBe('JWT fresh');
  });

  it('does nothing after a wrong password, and says so', async () => {
    const view = await openUnsign({ 'POST /auth/login': buildProblem(404, 'not_found', '') });
    await view.user.type(screen.getByLabelText(/Password/), 'wrong');
    await view.clickUnsign();
    expect(await screen.findByText(messages.INVALID_PASSWORD)).toBeVisible();
    expect(view.requests.some(({ path }) => path.endsWith('/unsign'))).toBe(false);
    screen.getByLabelText(/Password/).focus();
    await view.user.keyboard('right');
    expect(screen.getByLabelText(/Password/)).toHaveValue('right');
  });
});

describe('Signing several requisitions', () => {
  it('reports success in the plural', async () => {
    const targets = [
      { id: 12, version: 3, name: 'R260000012 · LOPEZ, MARIA' },
      { id: 13, version: 1, name: 'R260000013 · LOPEZ, MARIA' },
    ];
    const { user, requests } = await renderPortal(
      <SignDialog targets={targets} onClose={vi.fn()} onSigned={vi.fn()} onStale={vi.fn()} />,
      {
        user: signer,
        answers: { ...login, 'POST /api/v2/requisitions/sign-multiple': { data: targets } },
      },
    );
    await user.type(screen.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(screen.getByRole('button', { name: 'Sign' }));
    expect(await screen.findByText(messages.REQUISITIONS_SIGNED)).toBeVisible();
    await waitFor(() => expect(requests.at(-1)?.body).toMatchObject({ requisitionsIds: [12, 13] }));
  });
});

describe('A change by somebody else behind the dialog', () => {
  const handlers = { onClose: vi.fn(), onSigned: vi.fn(), onUnsigned: vi.fn(), onStale: vi.fn() };

  it.each([
    { dialog: SignDialog, button: 'Sign', path: '/api/v2/requisitions/sign-multiple' },
    { dialog: UnsignDialog, button: 'Unsign', path: '/api/v2/requisitions/12/unsign' },
  ])('leaves the version that $button sends', async ({ dialog: Dialog, button, path }) => {
    let changeVersion: (version: number) => void = vi.fn();
    function Screen() {
      const [version, setVersion] = useState(3);
      changeVersion = setVersion;
      return <Dialog targets={[{ id: 12, version, name: 'R260000012' }]} {...handlers} />;
    }
    const { user, requests } = await renderPortal(<Screen />, {
      user: signer,
      answers: { ...login, [`POST ${path}`]: {} },
    });
    await user.type(screen.getByLabelText(/Password/), 'Portal-2026!');
    act(() => changeVersion(4));
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(requests.at(-1)?.path).toBe(path));
    const request = requests.at(-1);
    if (button === 'Sign') expect(request?.body).toMatchObject({ versions: { 12: 3 } });
    else expect(request?.headers.get('If-Match')).toBe('"3"');
  });
});
