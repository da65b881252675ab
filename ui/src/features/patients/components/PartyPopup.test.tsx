import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import { PartyPopup } from './PartyPopup';

const ignore = () => undefined;
const getTextbox = (name: RegExp) => screen.getByRole('textbox', { name });

afterEach(() => setScreenWidth(widths.desktop));

describe('The dialog of a responsible party', () => {
  const openParty = async () => {
    const portal = await renderPortal(<PartyPopup party={null} onClose={ignore} onSave={ignore} />);
    return { ...portal, dialog: await screen.findByRole('dialog') };
  };

  it('is 840 wide, with masked numbers and an address', async () => {
    const { user, dialog } = await openParty();
    expect(dialog.style.width).toBe('840px');
    for (const name of [/^Phone/, /^Mobile/, /^Fax/]) {
      await user.type(getTextbox(name), '31255501019');
      expect(getTextbox(name)).toHaveValue('312-555-0101');
    }
    for (const name of ['Last Name', 'First Name', 'Phone']) {
      expect(getTextbox(new RegExp(`^${name}`))).toBeRequired();
    }
    for (const name of ['Mobile', 'Fax'])
      expect(getTextbox(new RegExp(`^${name}`))).not.toBeRequired();
    for (const name of [/^Address/, /^Zip Code/, /^Zip plus 4/, /^City/, /^State/]) {
      expect(getTextbox(name)).toBeVisible();
    }
  });

  it('is 90vw wide on phones', async () => {
    setScreenWidth(widths.phone);
    const { dialog } = await openParty();
    expect(dialog.style.width).toBe('90vw');
  });
});
