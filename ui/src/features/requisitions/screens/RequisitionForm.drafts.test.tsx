import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { type Answers } from '../../../test/portal';
import { comments, drawForm, ONE, saves } from '../../../test/requisitionForm';
import { requisition } from '../../../test/requisitions';
import type { Requisition } from '../api';
import { valuesOf } from '../form';

const chosen = (id: number, code: string, name: string) => ({
  test: { id, code, name, alternateNames: '', type: 'TEST' as const },
  isConfidential: false,
  children: [],
});
const [tsh, cbc, glu] = [
  chosen(20, 'TSH', 'Thyroid'),
  chosen(21, 'CBC', 'Count'),
  chosen(22, 'GLU', 'Glucose'),
];
const wire = (tests: (typeof tsh)[]) =>
  tests.map((one) => ({ ...one, childId: one.test.id, parentTestId: null, level: 0 }));

const DRAFT = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';
const before = requisition({ tests: wire([tsh]) });
const values = { ...valuesOf(before), tests: [tsh, glu] };
const changed = { version: 3, base: { tests: [tsh] } };

/** As the portal gives it back: with the keys of objects in another order. */
const asKept = (content: object): unknown =>
  JSON.parse(JSON.stringify(content), (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).reverse())
      : part,
  );

async function continued(now: Requisition, content: object, answers: Answers = {}) {
  const view = await drawForm({
    [`GET ${ONE}`]: now,
    'GET /api/v2/requisitions/drafts': [
      {
        id: DRAFT,
        savedAt: '2026-03-27T09:00:00+00:00',
        content: asKept({ format: 2, values, ...content }),
      },
    ],
    [`POST ${ONE}`]: { ...now, version: now.version + 1 },
    ...answers,
  });
  await view.user.click(await screen.findByRole('button', { name: 'Continue with it' }));
  const save = async () => {
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    const [sent, ...more] = saves(view.seen);
    expect(more).toEqual([]);
    return {
      version: sent?.headers.get('If-Match'),
      draft: sent?.query.get('draftId'),
      body: sent?.body as { tests: { test: { id: number } }[] },
    };
  };
  return { ...view, save };
}
const idsOf = ({ tests }: { tests: { test: { id: number } }[] }) => tests.map((one) => one.test.id);

describe('A draft of a requisition that somebody saved meanwhile', () => {
  const theirs = requisition({ version: 5, priority: 'STAT', tests: wire([tsh, cbc]) });

  it('goes on top of what they did, which is named and not undone', async () => {
    const { save } = await continued(theirs, changed);
    expect(await screen.findByText(messages.VERSION_CONFLICT)).toBeVisible();
    const adopted = /^Changed meanwhile, and shown here now: (Priority, Tests|Tests, Priority)\.$/;
    expect(screen.getByText(adopted)).toBeVisible();
    for (const name of ['Thyroid', 'Count', 'Glucose']) {
      expect(screen.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
    }
    const { version, body } = await save();
    expect(version).toBe('"5"');
    expect(body).toMatchObject({ priority: 'STAT' });
    expect(idsOf(body)).toEqual([20, 22, 21]);
    // What nobody touched is sent as it was: not at all.
    expect(body).not.toHaveProperty('billingInfo');
  });

  it('can be given up for what they did', async () => {
    const { user, seen } = await continued(theirs, changed);
    await user.click(await screen.findByRole('button', { name: 'Use the newer version' }));
    expect(screen.queryByRole('button', { name: 'Remove Glucose' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove Count' })).toBeVisible();
    expect(saves(seen)).toEqual([]);
  });

  it('of an older form, which kept no base, names what may be theirs', async () => {
    const { save } = await continued(theirs, { version: 3, changed: ['tests'] });
    expect(await screen.findByText('Tests: TSH, CBC now, you entered TSH, GLU')).toBeVisible();
    expect(screen.getByText('Changed meanwhile, and shown here now: Priority.')).toBeVisible();
    const { version, body } = await save();
    expect(version).toBe('"5"');
    expect(idsOf(body)).toEqual([20, 22]);
  });

  it('names what a signature closed meanwhile', async () => {
    const signed = requisition({ version: 5, hasSignature: true, tests: wire([tsh]) });
    await continued(signed, {
      ...changed,
      values: { ...values, comments: '<p>Mine</p>' },
      base: { ...changed.base, comments: '' },
    });
    expect(await screen.findByText(/^Tests: added /)).toBeVisible();
    expect(await comments()).toHaveTextContent('Mine');
    expect(screen.queryByText('Glucose')).toBeNull();
  });
});

describe('A draft that was typed before anybody knew of the save', () => {
  it('stands as it was typed, and what differs from the saved one is named', async () => {
    const saved = requisition({ version: 1, tests: wire([tsh, cbc]) });
    const typed = { version: null, base: { tests: [] } };
    const { save } = await continued(saved, typed);
    expect(await screen.findByText('Tests: TSH, CBC now, you entered TSH, GLU')).toBeVisible();
    const { version, body } = await save();
    expect(version).toBe('"1"');
    expect(idsOf(body)).toEqual([20, 22]);
  });
});

describe('A draft of a requisition that nobody touched', () => {
  it('goes on as it was, without a word', async () => {
    const { save } = await continued(before, changed);
    await screen.findByRole('button', { name: 'Remove Glucose' });
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
    const { version, body, draft } = await save();
    expect(version).toBe('"3"');
    expect(idsOf(body)).toEqual([20, 22]);
    // It goes with what it became.
    expect(draft).toBe(DRAFT);
  });
});
