import { Classes } from '@blueprintjs/core';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { choosePatient, jo, patientAnswers } from '../../../test/patientChange';
import type { Answers } from '../../../test/portal';
import { enterComment, FORM, renderForm } from '../../../test/requisitionForm';
import { buildRequisition } from '../../../test/requisitions';
import { toFormValues } from '../form';

const NAMES = { before: 'OKONKWO, AISHA', now: 'BRANDT, JO' };

const renderNew = (answers: Answers = {}) =>
  renderForm({ ...patientAnswers, ...answers }, `${FORM};patientId=7`);

/** Enters a comment, a copy, a medication, and a document. */
async function enterAll(user: UserEvent): Promise<void> {
  await enterComment(user, 'Call her daughter first');
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'okonkwo@home.test{Enter}');
  await user.type(screen.getByRole('combobox', { name: 'Medication' }), 'ASPIRIN{Enter}');
  await screen.findByRole('button', { name: 'Remove ASPIRIN' });
  const file = new File(['%PDF'], 'aisha-card.pdf', { type: 'application/pdf' });
  await user.upload(await screen.findByLabelText('Document', { selector: 'input' }), file);
}

const findQuestion = async () =>
  within(await screen.findByRole('dialog', { name: messages.PATIENT_CHANGE_TITLE }));

const ENTRIES = ['okonkwo@home.test', 'ASPIRIN', 'aisha-card.pdf'];

const expectEntries = async () => {
  expect(await screen.findByText('Call her daughter first')).toBeVisible();
  for (const text of ENTRIES) expect(screen.getByText(text)).toBeVisible();
};

const CLEARED_MESSAGE = say(messages.PATIENT_ENTRIES_CLEARED, { patient: NAMES.before });

/** Presses Undo of the notice that something was cleared. */
async function undo(user: UserEvent): Promise<void> {
  const toast = screen.getByText(CLEARED_MESSAGE).closest<HTMLElement>(`.${Classes.TOAST}`);
  if (toast) await user.click(within(toast).getByRole('button', { name: 'Undo' }));
}

const findBanner = (name: RegExp) => screen.findByText(name, { selector: 'div' });

describe('What was entered for another patient', () => {
  it('is named in a question, is cleared by Enter, and returns with Undo', async () => {
    const { user } = await renderNew();
    await enterAll(user);
    await choosePatient(user, jo.code);
    const question = await findQuestion();
    expect(question.getByText(say(messages.PATIENT_CHANGE_ENTRIES, NAMES))).toBeVisible();
    expect(question.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Medications: ASPIRIN',
      "Comments: 'Call her daughter first'",
      'Additional Copies: okonkwo@home.test',
      'Documents: aisha-card.pdf',
    ]);
    await waitFor(() => expect(question.getByRole('button', { name: 'Clear' })).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(await screen.findByText(CLEARED_MESSAGE)).toBeVisible();
    expect(await findBanner(/BRANDT, JO/)).toBeVisible();
    expect(screen.getByText('No documents')).toBeVisible();
    for (const text of ['Call her daughter first', ...ENTRIES]) {
      expect(screen.queryByText(text)).toBeNull();
    }
    await undo(user);
    await expectEntries();
    expect(await findBanner(/BRANDT, JO/)).toBeVisible();
    expect(screen.getByText('Type 2 diabetes mellitus')).toBeVisible();
  });

  it('stays with Keep', async () => {
    const { user } = await renderNew();
    await enterAll(user);
    await choosePatient(user, jo.code);
    await user.click((await findQuestion()).getByRole('button', { name: 'Keep' }));
    expect(await findBanner(/BRANDT, JO/)).toBeVisible();
    await expectEntries();
  });

  it('stays with its patient after Cancel', async () => {
    const { user } = await renderNew();
    await enterAll(user);
    await choosePatient(user, jo.code);
    await user.click((await findQuestion()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await findBanner(/OKONKWO, AISHA/)).toBeVisible();
    await expectEntries();
  });

  it('is not asked about if no patient was selected before', async () => {
    const { user } = await renderForm(patientAnswers, FORM);
    await enterComment(user, 'Fasting since midnight');
    await choosePatient(user, jo.code);
    expect(await findBanner(/BRANDT, JO/)).toBeVisible();
    expect(screen.getByText('Fasting since midnight')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('includes the comments of a saved requisition, and names its stored documents', async () => {
    const { user } = await renderForm({
      ...patientAnswers,
      'GET /api/v2/requisitions/12': buildRequisition({ comments: 'Call her daughter first' }),
      'GET /api/v2/requisitions/12/documents': [{ id: 6, name: 'scan.pdf' }],
    });
    await screen.findByText('Call her daughter first');
    await choosePatient(user, jo.code);
    const question = await findQuestion();
    const values = { ...NAMES, documents: 'scan.pdf' };
    expect(question.getByText(say(messages.PATIENT_CHANGE_DOCUMENTS, values))).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Clear' }));
    expect(await findBanner(/BRANDT, JO/)).toBeVisible();
    expect(screen.queryByText('Call her daughter first')).toBeNull();
    expect(screen.getByRole('button', { name: 'scan.pdf' })).toBeVisible();
  });

  it('is asked about when a draft continues for a new patient', async () => {
    const values = {
      ...toFormValues(buildRequisition()),
      comments: 'Call her daughter first',
    };
    const draft = {
      id: '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e',
      savedAt: '2026-03-27T09:00:00+00:00',
      content: { format: 2, values },
    };
    const { user } = await renderForm(
      { ...patientAnswers, 'GET /api/v2/requisitions/drafts': [draft] },
      `${FORM};patientId=9`,
    );
    await user.click(await screen.findByRole('button', { name: 'Continue with it' }));
    await user.click((await findQuestion()).getByRole('button', { name: 'Clear' }));
    expect(await screen.findByText(CLEARED_MESSAGE)).toBeVisible();
    expect(screen.queryByText('Call her daughter first')).toBeNull();
    await undo(user);
    expect(await screen.findByText('Call her daughter first')).toBeVisible();
  });
});
