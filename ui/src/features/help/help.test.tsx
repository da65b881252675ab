import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages, Role } from '../../contract';
import { paths } from '../../lib/paths';
import { buildProfile, renderPortal } from '../../test/render';
import { setScreenWidth, widths } from '../../test/screens';
import Help from './screens/Help';
import { listTopics } from './topics';

const openHelp = (role: Role = Role.SUPERUSER, screenPath?: string) =>
  renderPortal(<Help />, {
    user: buildProfile(role),
    ...(screenPath === undefined ? {} : { parameters: { screen: screenPath } }),
  });

describe('Help', () => {
  afterEach(() => setScreenWidth(widths.desktop));

  it('opens the page about the screen that it was opened from', async () => {
    await openHelp(Role.CLIENT_BASIC, paths.supplyRequest);
    expect(screen.getByRole('article', { name: 'Supply Request' })).toBeVisible();
  });

  it('finds pages by their words', async () => {
    const { user } = await openHelp();
    await user.type(screen.getByRole('searchbox', { name: 'Search help' }), 'bedside tube');
    const list = within(screen.getByRole('navigation', { name: 'Help topics' }));
    expect(list.getAllByRole('button')).toHaveLength(1);
    expect(screen.getByRole('article', { name: 'New Requisition' })).toBeVisible();
  });

  it('shows the page right below a list of topics on phones', async () => {
    setScreenWidth(widths.phone);
    const { user } = await openHelp();
    expect(screen.queryByRole('button', { name: 'Lab Settings' })).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Topic' }), 'Lab Settings');
    expect(screen.getByRole('article', { name: 'Lab Settings' })).toBeVisible();
  });

  it('says that no page matches', async () => {
    const { user } = await openHelp();
    await user.type(screen.getByRole('searchbox', { name: 'Search help' }), 'xylophone');
    expect(screen.getByText(messages.HELP_NONE)).toBeVisible();
  });

  it('hides pages about screens that the role does not have', () => {
    const titles = listTopics(Role.PATIENT).map(({ title }) => title);
    expect(titles).toContain('Contact us');
    expect(titles).not.toContain('Lab Settings');
  });
});
