import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../test/render';
import { DrawerMenu, TopMenu } from './MainMenu';

const groups = [
  {
    label: 'Results',
    items: [
      { label: 'Order Search', path: '/secured/results/lab' },
      { label: 'Result Export', path: '/secured/result-export' },
    ],
  },
  { label: 'Patients', items: [{ label: 'Patients', path: '/secured/patients/search' }] },
];
const getResultsButton = () => screen.getByRole('button', { name: 'Results' });
const isOpen = () => getResultsButton().getAttribute('aria-expanded') === 'true';

describe('A dropdown of the main menu', () => {
  it('opens on hover, stays open on a click, and closes on the next', async () => {
    const { user } = await renderPortal(<TopMenu groups={groups} path="/" />);
    await user.hover(getResultsButton());
    expect(isOpen()).toBe(true);
    await user.click(getResultsButton());
    expect(isOpen()).toBe(true);
    await user.unhover(getResultsButton());
    expect(isOpen()).toBe(true);
    await user.click(getResultsButton());
    expect(isOpen()).toBe(false);
  });

  it('closes when the pointer leaves a group that it opened', async () => {
    const { user } = await renderPortal(<TopMenu groups={groups} path="/" />);
    await user.hover(getResultsButton());
    expect(isOpen()).toBe(true);
    await user.unhover(getResultsButton());
    expect(isOpen()).toBe(false);
  });
});

describe('The only item of a group', () => {
  it('is a link in the top menu', async () => {
    await renderPortal(<TopMenu groups={groups} path="/secured/patients/search" />);
    const link = screen.getByRole('link', { name: 'Patients' });
    expect(link).toHaveAttribute('href', '/secured/patients/search');
    expect(link).toHaveAttribute('aria-current', 'page');
    expect(screen.queryByRole('button', { name: 'Patients' })).toBeNull();
  });

  it('is named once in the drawer', async () => {
    await renderPortal(<DrawerMenu groups={groups} path="/" onFollow={() => undefined} />);
    expect(screen.getAllByText('Patients')).toHaveLength(1);
    expect(screen.getByRole('heading', { name: 'Results' })).toBeVisible();
  });
});
