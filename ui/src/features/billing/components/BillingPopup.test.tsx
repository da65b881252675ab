import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../../test/render';
import { blankLine, noPerson, type Insurance } from '../rules';
import { BillingPopup } from './BillingPopup';

const ignore = () => undefined;
const row: Insurance = {
  ...blankLine,
  ...noPerson,
  key: 'k',
  id: null,
  order: 1,
  payer: { id: 8, name: 'AETNA' },
  insuranceId: 'W9',
  relationship: 'SPOUSE',
  differentThanPatient: true,
};

const listOptions = (name: string) =>
  within(screen.getByRole('combobox', { name }))
    .getAllByRole('option')
    .map((option) => option.textContent)
    .filter((text) => text !== '');

describe('The billing popup', () => {
  it('has the lists and masks of the specification', async () => {
    const { user } = await renderPortal(
      <BillingPopup row={row} patient={noPerson} onClose={ignore} onSave={ignore} />,
    );
    expect(listOptions('Gender')).toEqual(['MALE', 'FEMALE', 'UNKNOWN']);
    expect(listOptions('Relationship').sort()).toEqual(
      ['FATHER', 'MOTHER', 'SON', 'DAUGHTER', 'SPOUSE', 'SELF'].sort(),
    );
    const phone = screen.getByRole('textbox', { name: 'Phone' });
    await user.type(phone, '31255501019');
    expect(phone).toHaveValue('312-555-0101');
    for (const name of ['Last Name', 'First Name', 'Middle Name', 'Birth Date', 'Address']) {
      expect(screen.getByRole('textbox', { name })).toBeVisible();
    }
    await user.type(screen.getByRole('textbox', { name: 'Last Name' }), 'ray');
    expect(screen.getByRole('textbox', { name: 'Last Name' })).toHaveValue('RAY');
  });
});
