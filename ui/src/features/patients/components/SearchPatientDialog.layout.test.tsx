import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { messages, Role } from '../../../contract';
import { mariaRow } from '../../../test/patientRows';
import { buildPage, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import { SearchPatientDialog } from './SearchPatientDialog';

const LIST = 'GET /api/v2/patients/remote-operations';

const ignore = () => undefined;
const getTextbox = (name: RegExp) => screen.getByRole('textbox', { name });
const getButton = (name: string) => screen.getByRole('button', { name });
const getSize = (dialog: HTMLElement) => [dialog.style.width, dialog.style.height];

afterEach(() => setScreenWidth(widths.desktop));

async function openSearch(answers: Answers = {}) {
  const onSelect = vi.fn();
  const portal = await renderPortal(
    <SearchPatientDialog isOpen onClose={ignore} onSelect={onSelect} />,
    {
      user: buildProfile(Role.LABORATORY),
      answers: {
        [LIST]: buildPage([mariaRow]),
        'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
        ...answers,
      },
    },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Search Patient' });
  const search = async () => {
    await portal.user.type(getTextbox(/^Last Name/), 'lopez');
    await portal.user.type(getTextbox(/^First Name/), 'maria');
    await portal.user.click(getButton('Search'));
    return screen.findByRole('gridcell', { name: 'P0000005' });
  };
  return { ...portal, dialog, search, onSelect };
}

describe('Search Patient', () => {
  it('has its fields, columns and buttons', async () => {
    const { user, search } = await openSearch();
    await user.type(getTextbox(/^SSN/), '6661212349');
    expect(getTextbox(/^SSN/)).toHaveValue('666-12-1234');
    await search();
    expect(getTextbox(/^Last Name/)).toHaveValue('LOPEZ');
    expect(getTextbox(/^First Name/)).toHaveValue('MARIA');
    const titles = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(titles).toEqual(['Patient Id', 'Last Name', 'First Name', 'Birth Date', 'SSN']);
    for (const cell of ['P0000005', 'LOPEZ', 'MARIA', '03/04/1961', '***-**-1234']) {
      expect(screen.getByRole('gridcell', { name: cell })).toBeVisible();
    }
    for (const name of ['Clear', 'New Patient', 'Search']) expect(getButton(name)).toBeEnabled();
    expect(screen.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0);
    expect(screen.getByText(messages.SEARCH_BEFORE_NEW_PATIENT)).toBeVisible();
  });

  it('offers pages of 10, 20, 50 and 100 rows', async () => {
    const { user, requests, search } = await openSearch();
    await search();
    const sizes = screen.getByRole('combobox', { name: 'Rows per page' });
    const options = within(sizes).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ value }) => Number(value))).toEqual([10, 20, 50, 100]);
    await user.selectOptions(sizes, '50');
    await waitFor(() => expect(requests.at(-1)?.query.get('take')).toBe('50'));
  });

  it('rejects a future birth date', async () => {
    const { user } = await openSearch();
    await user.type(getTextbox(/^DOB/), '01012990');
    await user.tab();
    expect(await screen.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(getButton('Search')).toBeDisabled();
  });

  it('is 680 wide and 90vh high, and 90vw wide on phones', async () => {
    const wide = await openSearch();
    expect(getSize(wide.dialog)).toEqual(['680px', '90vh']);
    wide.unmount();
    setScreenWidth(widths.phone);
    const { dialog } = await openSearch();
    expect(getSize(dialog)).toEqual(['90vw', '90vh']);
  });

  it.each([
    ['desktop', '580px'],
    ['tablet', '450px'],
  ] as const)('lists recent patients: on a %s, %s wide', async (kind, width) => {
    setScreenWidth(widths[kind]);
    const { user, search, onSelect } = await openSearch();
    expect(screen.queryByRole('button', { name: 'Recent Patients' })).toBeNull();
    await search();
    const cellName = kind === 'desktop' ? 'P0000005' : 'Open';
    await user.click(screen.getByRole('gridcell', { name: cellName }));
    await waitFor(() => expect(onSelect).toHaveBeenCalled());
    await user.click(await screen.findByRole('button', { name: 'Recent Patients' }));
    const list = await screen.findByRole('table', { name: 'Recent Patients' });
    expect(list.parentElement?.style.width).toBe(width);
  });
});

describe('On a tablet', () => {
  it('a tap on a row chooses the patient, since rows cannot be selected', async () => {
    setScreenWidth(widths.tablet);
    const view = await openSearch();
    await view.user.click(await view.search());
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(mariaRow));
  });
});
