import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { Role } from '../../../contract';
import { east, lakeCare, maria as record } from '../../../test/patientForm';
import { buildPage, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { UpdatePatientDialog } from './UpdatePatientDialog';

const ignore = () => undefined;
const getTextbox = (name: RegExp) => screen.getByRole('textbox', { name });
const getButton = (name: string) => screen.getByRole('button', { name });

describe('Update Patient', () => {
  const openUpdate = async (answers: Answers = {}) => {
    const portal = await renderPortal(
      <UpdatePatientDialog patientId={5} onClose={ignore} onSaved={ignore} />,
      {
        user: buildProfile(Role.LABORATORY),
        answers: {
          'GET /api/v2/patients/5': record,
          'GET /api/v2/clients/remote-operations': buildPage([lakeCare]),
          'GET /api/v2/clients/1/units/remote-operations': buildPage([east]),
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
    await user.type(getTextbox(/^Bed/), 'b');
    expect(getTextbox(/^Bed/)).toHaveValue('AB');
  });

  it('can be saved only with a client, and with a unit if the client has units', async () => {
    const { user } = await openUpdate({
      'GET /api/v2/patients/5': { ...record, unitId: null, unit: null, roomId: null, room: null },
    });
    expect(getButton('Save')).toBeDisabled();
    await user.click(screen.getByRole('combobox', { name: /^Unit/ }));
    await user.click(await screen.findByRole('option', { name: 'EAST' }));
    await waitFor(() => expect(getButton('Save')).toBeEnabled());
    await user.click(screen.getByRole('button', { name: 'Client: clear' }));
    await waitFor(() => expect(getButton('Save')).toBeDisabled());
  });
});
