import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { renderPortal } from '../../test/render';
import AboutDialog from './AboutDialog';

const show = (licenses: { name: string; text: string }[]) =>
  renderPortal(<AboutDialog onClose={vi.fn()} />, {
    answers: { 'GET /device/about': { version: '1.2.3', licenses } },
  });

describe('About', () => {
  it('has the version, the notices, and the licenses', async () => {
    const { user } = await show([
      { name: 'THIRD-PARTY-NOTICES', text: 'Works of others' },
      { name: 'LGPL-3.0', text: 'Lesser' },
    ]);
    expect(await screen.findByText('Version 1.2.3')).toBeVisible();
    expect(screen.getByRole('region', { name: 'THIRD-PARTY-NOTICES' })).toHaveTextContent(
      'Works of others',
    );
    await user.selectOptions(screen.getByRole('combobox', { name: 'Text' }), 'LGPL-3.0');
    expect(screen.getByRole('region', { name: 'LGPL-3.0' })).toHaveTextContent('Lesser');
  });

  it('says where the texts are if it runs from its sources', async () => {
    await show([]);
    expect(await screen.findByText(/packages/)).toBeVisible();
  });
});
