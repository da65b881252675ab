import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { Lab } from '../../api';
import { paths } from '../../lib/paths';
import { getToday } from '../../lib/dates';
import { capabilities, renderPortal } from '../../test/render';
import { Footer } from './Footer';

const getFooter = () => within(screen.getByRole('contentinfo'));

describe('The footers', () => {
  it('lead to terms, privacy and help', async () => {
    await renderPortal(<Footer />);
    for (const [name, path] of [
      ['Terms & Conditions', paths.terms],
      ['Privacy', paths.privacy],
      ['Help', paths.help],
    ] as const)
      expect(getFooter().getByRole('link', { name })).toHaveAttribute('href', path);
  });

  it('have the years from 2012 to the current one', async () => {
    await renderPortal(<Footer />);
    expect(getFooter().getByText(new RegExp(`© 2012 - ${getToday().slice(0, 4)}`))).toBeVisible();
  });

  it.each([
    ['0.2.0', true],
    [null, false],
  ])('say that the portal has a newer app (%s)', async (newerVersion, isShown) => {
    const portal = { address: 'https://portal.example', newerVersion };
    await renderPortal(<Footer />, { capabilities: { host: 'desktop', portal } });
    const notice = getFooter().queryByText(/^Version 0\.2\.0 of this app is available/);
    expect(notice !== null).toBe(isShown);
  });

  it("show the lab's address, phone and e-mail", async () => {
    await renderPortal(<Footer />);
    expect(getFooter().getByText('1 Lake St, Chicago, IL')).toBeVisible();
    expect(getFooter().getByText('312-555-0100')).toBeVisible();
    expect(getFooter().getByRole('link', { name: 'help@demo.lab' })).toBeVisible();
  });

  it.each([
    ['address', '1 Lake St, Chicago, IL'],
    ['phone', '312-555-0100'],
    ['email', 'help@demo.lab'],
  ])('leave out the %s if not set', async (name, text) => {
    const lab = { ...capabilities.lab, [name]: null } as Lab;
    await renderPortal(<Footer />, { capabilities: { lab } });
    expect(getFooter().queryByText(text)).toBeNull();
  });
});
