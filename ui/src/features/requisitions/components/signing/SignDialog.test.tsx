import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages } from '../../../../contract';
import { buildProblem, type Answers } from '../../../../test/portal';
import { buildProfile, renderPortal } from '../../../../test/render';
import { SignDialog } from './SignDialog';

const IMAGE = 'data:image/png;base64,AAAA';

function createSigner(signImage: string | null) {
  const user = buildProfile();
  return { ...user, data: { ...user.data, signImage } };
}

async function renderDialog(answers: Answers, signImage: string | null = IMAGE) {
  const onSigned = vi.fn();
  const view = await renderPortal(
    <SignDialog
      targets={[{ id: 12, version: 3, name: 'R260000012 · LOPEZ, MARIA' }]}
      onClose={vi.fn()}
      onSigned={onSigned}
      onStale={vi.fn()}
    />,
    { user: createSigner(signImage), answers },
  );
  return { ...view, onSigned };
}

const getPassword = () => screen.getByLabelText(/Password/);
const getSignButton = () => screen.getByRole('button', { name: 'Sign' });

describe('Signing', () => {
  it('checks the password first, then signs with the image of the profile', async () => {
    const { user, requests, onSigned } = await renderDialog({
      'POST /auth/login': { token: 'fresh', user: createSigner(IMAGE) },
      'POST /api/v2/requisitions/sign-multiple': { data: [{ id: 12, version: 4 }] },
    });
    expect(screen.getByRole('img', { name: 'Your signature' })).toBeVisible();
    expect(screen.getByText('R260000012 · LOPEZ, MARIA')).toBeVisible();
    await user.type(getPassword(), 'Portal-2026!');
    await user.click(getSignButton());
    await waitFor(() => expect(onSigned).toHaveBeenCalled());
    expect(await screen.findByText(messages.REQUISITION_SIGNED)).toBeVisible();
    const [, login, request] = requests;
    expect(login?.path).toBe('/auth/login');
    expect(request?.headers.get('Authorization')).toBe('JWT fresh');
    expect(request?.body).toMatchObject({
      image: IMAGE,
      requisitionsIds: [12],
      versions: { 12: 3 },
    });
  });

  it("says 'Invalid password.' and signs nothing", async () => {
    const { user, requests } = await renderDialog({
      'POST /auth/login': buildProblem(404, 'not_found', ''),
    });
    await user.type(getPassword(), 'wrong');
    await user.click(getSignButton());
    expect(await screen.findByText('Invalid password.')).toBeVisible();
    expect(requests.some(({ path }) => path.endsWith('sign-multiple'))).toBe(false);
  });

  it('selects the wrong password, so that it can be typed over', async () => {
    let respond: (answer: Response) => void = () => undefined;
    const { user } = await renderDialog({
      'POST /auth/login': () => new Promise((resolve) => (respond = resolve)),
    });
    await user.type(getPassword(), 'wrong');
    await user.click(getSignButton());
    await waitFor(() => expect(getSignButton()).toBeDisabled());
    // A browser removes the focus from a disabled button.
    getSignButton().blur();
    respond(buildProblem(404, 'not_found', ''));
    await screen.findByText('Invalid password.');
    await waitFor(() => expect(getPassword()).toHaveFocus());
    await user.keyboard('right');
    expect(getPassword()).toHaveValue('right');
  });

  it('requires an image and a password', async () => {
    const { user } = await renderDialog({}, null);
    await user.click(getSignButton());
    expect(await screen.findByText('No file found.')).toBeVisible();
    expect(screen.getByText('Password is required')).toBeVisible();
  });

  it('accepts only images, up to 10 MB', async () => {
    const { user } = await renderDialog({}, null);
    const file = screen.getByLabelText('Signature image');
    const bigFile = new File(['x'], 'big.png', { type: 'image/png' });
    Object.defineProperty(bigFile, 'size', { value: 11 * 1024 * 1024 });
    await user.upload(file, bigFile);
    expect(await screen.findByText(/Only 10 MB files allowed\./)).toBeVisible();
    const svg = new File(['<svg/>'], 'x.svg', { type: 'image/svg+xml' });
    await user.upload(file, svg);
    expect(await screen.findByText(/Only images allowed\./)).toBeVisible();
  });

  it('does not sign with the stored image after an unusable file, unless it is chosen', async () => {
    const { user, requests, onSigned } = await renderDialog({
      'POST /auth/login': { token: 'fresh', user: createSigner(IMAGE) },
      'POST /api/v2/requisitions/sign-multiple': { data: [{ id: 12, version: 4 }] },
    });
    const restoreName = 'Use stored image';
    expect(screen.queryByRole('button', { name: restoreName })).toBeNull();
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode');
    decode.mockRejectedValueOnce(new DOMException('no image', 'EncodingError'));
    const text = new File(['no image'], 'me.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Signature image'), text);
    const problem = 'Only images allowed.';
    expect(await screen.findByText(problem)).toBeVisible();
    expect(screen.getByText(messages.SIGNATURE_FILE_UNUSED)).toBeVisible();
    expect(screen.queryByRole('img', { name: 'Your signature' })).toBeNull();
    await user.type(getPassword(), 'Portal-2026!{Enter}');
    expect(screen.getByText(problem)).toBeVisible();
    expect(requests.some(({ path }) => path === '/auth/login')).toBe(false);
    await user.click(screen.getByRole('button', { name: restoreName }));
    expect(screen.getByRole('img', { name: 'Your signature' })).toHaveAttribute('src', IMAGE);
    expect(screen.queryByText(problem)).toBeNull();
    await user.click(getSignButton());
    await waitFor(() => expect(onSigned).toHaveBeenCalled());
    const [, , request] = requests;
    expect(request?.body).toMatchObject({ image: IMAGE, requisitionsIds: [12] });
  });

  it('does not sign with the stored image while a chosen one is read', async () => {
    const { user, requests } = await renderDialog({});
    let finish: () => void = () => undefined;
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode');
    decode.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
    const png = new File(['x'], 'me.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Signature image'), png);
    await user.type(getPassword(), 'Portal-2026!{Enter}');
    expect(screen.getByText(messages.FILE_CHECKING)).toBeVisible();
    expect(requests.some(({ path }) => path === '/auth/login')).toBe(false);
    finish();
    await screen.findByRole('img', { name: 'Your signature' });
    expect(screen.queryByText(messages.FILE_CHECKING)).toBeNull();
  });

  it('saves a newly chosen image to the profile before signing', async () => {
    const { user, requests, onSigned } = await renderDialog(
      {
        'POST /auth/login': { token: 'fresh', user: createSigner(null) },
        [`PUT /auth/user/${buildProfile().id}`]: { user: createSigner(IMAGE) },
        'POST /api/v2/requisitions/sign-multiple': { data: [{ id: 12, version: 4 }] },
      },
      null,
    );
    const png = new File(['x'], 'me.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Signature image'), png);
    await screen.findByRole('img', { name: 'Your signature' });
    await user.type(getPassword(), 'Portal-2026!{Enter}');
    await waitFor(() => expect(onSigned).toHaveBeenCalled());
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /auth/jwt/refresh',
      'POST /auth/login',
      `PUT /auth/user/${buildProfile().id}`,
      'POST /api/v2/requisitions/sign-multiple',
    ]);
  });
});
