import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../../../test/render';
import { SignedMark } from './SignatureView';

const signature = {
  imageSignature: 'data:image/png;base64,AAAA',
  userName: 'Ada Tester',
  signedDateTime: '2026-03-27T14:05:00',
};

describe('A signed row', () => {
  it('shows the signature, the signer and the time on hover', async () => {
    const { user } = await renderPortal(<SignedMark requisitionId={12} />, {
      answers: { 'GET /api/v2/requisitions/12/signature': signature },
    });
    expect(screen.queryByRole('img', { name: 'Signature' })).toBeNull();
    await user.hover(screen.getByTitle('Signed'));
    const image = await screen.findByRole('img', { name: 'Signature' });
    expect(image).toHaveAttribute('src', signature.imageSignature);
    expect(screen.getByText(/Electronically signed by: Ada Tester/)).toBeVisible();
    expect(screen.getByText(/03\/27\/2026 02:05 PM/)).toBeVisible();
  });
});
