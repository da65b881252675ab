import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages, Role } from '../../../contract';
import { east, lakeCare, maria as record } from '../../../test/patientForm';
import { buildPage, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { UpdatePatientDialog } from './UpdatePatientDialog';

const getTextbox = (name: RegExp) => screen.getByRole('textbox', { name });
const getButton = (name: string) => screen.getByRole('button', { name });

describe('Update Patient', () => {
  const openUpdate = async (answers: Answers = {}) => {
    const onClose = vi.fn();
    const portal = await renderPortal(
      <UpdatePatientDialog
        patientId={5}
        reason={messages.PATIENT_CLIENT_HAS_NO_WEB_ACCESS}
        onClose={onClose}
        onSaved={() => undefined}
      />,
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
    return { ...portal, onClose };
  };

  it('has client, primary physician, unit, room and bed', async () => {
    const { user } = await openUpdate();
    for (const name of [/^Client/, /^Primary Physician/, /^Unit/, /^Room/]) {
      expect(screen.getByRole('combobox', { name })).toBeVisible();
    }
    await user.type(getTextbox(/^Bed/), 'b');
    expect(getTextbox(/^Bed/)).toHaveValue('AB');
  });

  it('says why it opened', async () => {
    await openUpdate();
    expect(screen.getByText(messages.PATIENT_CLIENT_HAS_NO_WEB_ACCESS)).toBeVisible();
  });

  it('asks before Escape discards changes', async () => {
    const { user, onClose } = await openUpdate();
    await user.type(getTextbox(/^Bed/), 'b{Escape}');
    const question = await screen.findByRole('dialog', { name: 'Unsaved changes' });
    expect(onClose).not.toHaveBeenCalled();
    await user.click(within(question).getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  it('closes at once without changes', async () => {
    const { user, onClose } = await openUpdate();
    await user.type(getTextbox(/^Bed/), '{Escape}');
    expect(onClose).toHaveBeenCalled();
    expect(screen.queryByRole('dialog', { name: 'Unsaved changes' })).toBeNull();
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
