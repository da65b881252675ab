import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { messages, Role } from '../../../contract';
import { east, lakeCare, maria as record } from '../../../test/patientForm';
import { page, type Answers } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import { onScreenOf, widths } from '../../../test/screens';
import { PartyPopup } from './PartyPopup';
import { SearchPatientDialog } from './SearchPatientDialog';
import { UpdatePatientDialog } from './UpdatePatientDialog';

const LIST = 'GET /api/v2/patients/remote-operations';
const maria = {
  id: 5,
  code: 'P0000005',
  firstName: 'MARIA',
  middleName: null,
  lastName: 'LOPEZ',
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  ssn: '***-**-1234',
  clientId: 1,
  clientName: 'LAKE CARE',
  clientWebAccess: true,
  unit: null,
  room: null,
  bed: null,
};

const nothing = () => undefined;
const inBox = (name: RegExp) => screen.getByRole('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const sizeOf = (dialog: HTMLElement) => [dialog.style.width, dialog.style.height];

afterEach(() => onScreenOf(widths.desktop));

async function openSearch(answers: Answers = {}) {
  const onSelect = vi.fn();
  const portal = await renderPortal(
    <SearchPatientDialog isOpen onClose={nothing} onSelect={onSelect} />,
    {
      user: profile(Role.LABORATORY),
      answers: {
        [LIST]: page([maria]),
        'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
        ...answers,
      },
    },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Search Patient' });
  const search = async () => {
    await portal.user.type(inBox(/^Last Name/), 'lopez');
    await portal.user.type(inBox(/^First Name/), 'maria');
    await portal.user.click(button('Search'));
    return screen.findByRole('gridcell', { name: 'P0000005' });
  };
  return { ...portal, dialog, search, onSelect };
}

describe('Search Patient', () => {
  it('has its fields, columns and buttons', async () => {
    const { user, search } = await openSearch();
    await user.type(inBox(/^SSN/), '6661212349');
    expect(inBox(/^SSN/)).toHaveValue('666-12-1234');
    await search();
    expect(inBox(/^Last Name/)).toHaveValue('LOPEZ');
    expect(inBox(/^First Name/)).toHaveValue('MARIA');
    const titles = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(titles).toEqual(['Patient Id', 'Last Name', 'First Name', 'Birth Date', 'SSN']);
    for (const cell of ['P0000005', 'LOPEZ', 'MARIA', '03/04/1961', '***-**-1234']) {
      expect(screen.getByRole('gridcell', { name: cell })).toBeVisible();
    }
    for (const name of ['Clear', 'New Patient', 'Search']) expect(button(name)).toBeEnabled();
    expect(screen.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0);
    expect(screen.getByText(messages.SEARCH_BEFORE_NEW_PATIENT)).toBeVisible();
  });

  it('offers pages of 10, 20, 50 and 100 rows', async () => {
    const { user, seen, search } = await openSearch();
    await search();
    const sizes = screen.getByRole('combobox', { name: 'Rows per page' });
    const options = within(sizes).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ value }) => Number(value))).toEqual([10, 20, 50, 100]);
    await user.selectOptions(sizes, '50');
    await waitFor(() => expect(seen.at(-1)?.query.get('take')).toBe('50'));
  });

  it('takes no birth date to come', async () => {
    const { user } = await openSearch();
    await user.type(inBox(/^DOB/), '01012990');
    await user.tab();
    expect(await screen.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(button('Search')).toBeDisabled();
  });

  it('is 680 wide and 90vh high, and 90vw wide on phones', async () => {
    const wide = await openSearch();
    expect(sizeOf(wide.dialog)).toEqual(['680px', '90vh']);
    wide.unmount();
    onScreenOf(widths.phone);
    const { dialog } = await openSearch();
    expect(dialog.style.width).toBe('90vw');
  });

  it.each([
    ['desktop', '580px'],
    ['tablet', '450px'],
  ] as const)('lists recent patients, on a %s %s wide', async (kind, width) => {
    onScreenOf(widths[kind]);
    const { user, search, onSelect } = await openSearch();
    expect(screen.queryByRole('button', { name: 'Recent Patients' })).toBeNull();
    await search();
    const opens = kind === 'desktop' ? 'P0000005' : 'Open';
    await user.click(screen.getByRole('gridcell', { name: opens }));
    await waitFor(() => expect(onSelect).toHaveBeenCalled());
    await user.click(await screen.findByRole('button', { name: 'Recent Patients' }));
    const list = await screen.findByRole('table', { name: 'Recent Patients' });
    expect(list.style.width).toBe(width);
  });
});

describe('Update Patient', () => {
  const openUpdate = async (answers: Answers = {}) => {
    const portal = await renderPortal(
      <UpdatePatientDialog patientId={5} onClose={nothing} onSaved={nothing} />,
      {
        user: profile(Role.LABORATORY),
        answers: {
          'GET /api/v2/patients/5': record,
          'GET /api/v2/clients/remote-operations': page([lakeCare]),
          'GET /api/v2/clients/1/units/remote-operations': page([east]),
          ...answers,
        },
      },
    );
    await screen.findByRole('combobox', { name: /^Client/ });
    return portal;
  };

  it('has client, primary physician, unit, room and bed', async () => {
    const { user } = await openUpdate();
    for (const name of [/^Client/, /^Primary Physician/, /^Unit/, /^Room/]) {
      expect(screen.getByRole('combobox', { name })).toBeVisible();
    }
    await user.type(inBox(/^Bed/), 'b');
    expect(inBox(/^Bed/)).toHaveValue('AB');
  });

  it('can be saved only with a client, and with a unit where the client has units', async () => {
    const { user } = await openUpdate({
      'GET /api/v2/patients/5': { ...record, unitId: null, unit: null, roomId: null, room: null },
    });
    expect(button('Save')).toBeDisabled();
    await user.click(screen.getByRole('combobox', { name: /^Unit/ }));
    await user.click(await screen.findByRole('option', { name: 'EAST' }));
    await waitFor(() => expect(button('Save')).toBeEnabled());
    await user.click(screen.getByRole('button', { name: 'Client: clear' }));
    await waitFor(() => expect(button('Save')).toBeDisabled());
  });
});

describe('Responsible Party', () => {
  const openParty = async () => {
    const portal = await renderPortal(
      <PartyPopup party={null} onClose={nothing} onSave={nothing} />,
    );
    return { ...portal, dialog: await screen.findByRole('dialog') };
  };

  it('is 840 wide, with masked numbers and an address', async () => {
    const { user, dialog } = await openParty();
    expect(dialog.style.width).toBe('840px');
    for (const name of [/^Phone/, /^Mobile/, /^Fax/]) {
      await user.type(inBox(name), '31255501019');
      expect(inBox(name)).toHaveValue('312-555-0101');
    }
    for (const name of ['Last Name', 'First Name', 'Phone']) {
      expect(inBox(new RegExp(`^${name}`))).toBeRequired();
    }
    for (const name of ['Mobile', 'Fax']) expect(inBox(new RegExp(`^${name}`))).not.toBeRequired();
    for (const name of [/^Address/, /^Zip Code/, /^Zip plus 4/, /^City/, /^State/]) {
      expect(inBox(name)).toBeVisible();
    }
  });

  it('is 90vw wide on phones', async () => {
    onScreenOf(widths.phone);
    const { dialog } = await openParty();
    expect(dialog.style.width).toBe('90vw');
  });
});

describe('On a tablet', () => {
  it('a tap on a row chooses the patient: there is nothing to select for', async () => {
    onScreenOf(widths.tablet);
    const view = await openSearch();
    await view.user.click(await view.search());
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(maria));
  });
});
