import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ReportKind, ResultStatus, Role, say } from '../../../contract';
import { enteredOrder } from '../../../test/orders';
import { buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import type { PathologyEntryOrder, PathologyEntryTest, PathologyReport } from './api';
import { PathologyEntry } from './PathologyEntry';

const PATH = '/api/v2/orders/12/pathology-entry';

const biopsy: PathologyEntryTest = {
  orderTestId: 7,
  code: 'SURG',
  name: 'SURGICAL PATHOLOGY',
  specimen: 'Tissue',
  status: ResultStatus.PENDING,
  awaitsCollection: false,
  predatesSpecimen: false,
  draft: null,
  withheld: null,
  holds: [],
  leftBecause: null,
  nextKinds: [ReportKind.NORMAL],
  released: [],
};

const draft: PathologyEntryTest['draft'] = {
  kind: ReportKind.NORMAL,
  title: 'Result Report',
  comment: '<p>Benign nevus.</p>',
  flag: null,
  signedOutBy: 'DANA HALL, MD',
  reasonCode: null,
  reason: null,
  explanation: null,
  enteredBy: 'Lara Bench',
  enteredAt: '2026-11-20T10:00:00',
};

const releasedReport: PathologyReport = {
  id: 1,
  title: 'Result Report',
  status: ReportKind.NORMAL_RELEASE,
  comment: '<p>Benign nevus.</p>',
  flag: null,
  signedOutBy: 'DANA HALL, MD',
  releasedBy: 'Lara Bench',
  releasedAt: '2026-11-20T10:05:00',
  reason: null,
  explanation: null,
  replacedBy: null,
  withheld: null,
  resultReportComments: [],
};
const releasedBiopsy: Partial<PathologyEntryTest> = {
  status: ResultStatus.FINAL,
  nextKinds: [ReportKind.ADDENDUM, ReportKind.REVISED],
  released: [releasedReport],
};

const buildEntry = (
  test: Partial<PathologyEntryTest> = {},
  values: Partial<PathologyEntryOrder> = {},
): PathologyEntryOrder => ({
  ...enteredOrder,
  tests: [{ ...biopsy, ...test }],
  ...values,
});

async function renderEntry(entry: PathologyEntryOrder, answers: Answers = {}) {
  const view = await renderPortal(<PathologyEntry orderId={12} tabs={null} />, {
    user: buildProfile(Role.LABORATORY),
    parameters: { id: '12', kind: 'pathology' },
    answers: {
      [`GET ${PATH}`]: entry,
      'GET /api/v2/reasons': [{ code: 'REPEAT', words: 'Changed on repeat testing' }],
      ...answers,
    },
  });
  const editor = await screen.findByRole('textbox', { name: 'Report' });
  const getBody = (method: string) =>
    view.requests.findLast((request) => request.method === method)?.body;
  return { ...view, editor, getBody };
}

const getButton = (name: string) => screen.getByRole('button', { name });

describe('A new report', () => {
  it('cannot be entered for a canceled test', async () => {
    await renderEntry(buildEntry({ draft, status: ResultStatus.CANCELED }));
    const reason = say(messages.RESULT_TEST_CANCELED, { test: biopsy.name });
    expect(screen.getByText(reason)).toBeVisible();
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Release')).toBeDisabled();
  });

  it('begins with the usual sections', async () => {
    const { user, editor } = await renderEntry(buildEntry());
    await user.click(getButton('Insert sections'));
    expect(await within(editor).findByRole('heading', { name: 'Diagnosis' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Insert sections' })).toBeNull();
    expect(screen.getByText('Unsaved')).toBeVisible();
  });

  it('is saved with finding and signer', async () => {
    const { user, getBody } = await renderEntry(buildEntry(), {
      [`PUT ${PATH}/7`]: buildEntry({ draft }, { version: 4 }),
    });
    await user.click(getButton('Insert sections'));
    await user.type(screen.getByLabelText('Signed Out By'), 'Dana Hall, MD');
    await user.selectOptions(screen.getByLabelText('Finding'), 'Abnormal');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.PATHOLOGY_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      kind: ReportKind.NORMAL,
      flag: 'A',
      signedOutBy: 'DANA HALL, MD',
      comment: expect.stringContaining('<h3>Diagnosis</h3>') as string,
    });
  });

  it('shows in words what can no longer be saved', async () => {
    let latest = buildEntry({ draft });
    const { user } = await renderEntry(latest, {
      [`GET ${PATH}`]: () => latest,
      [`PUT ${PATH}/7`]: buildProblem(412, 'stale_version', messages.VERSION_STALE),
    });
    await user.selectOptions(screen.getByLabelText('Finding'), 'Abnormal');
    const closed = { allowed: false, reason: messages.ENTRY_CLOSED };
    latest = buildEntry({ draft }, { version: 4, canEnterResults: closed });
    await user.click(getButton('Save'));
    const [line] = within(await screen.findByRole('alert')).getAllByRole('listitem');
    expect(line).toHaveTextContent('Finding: Abnormal');
  });

  it('is not saved without text, and says so', async () => {
    const { user, editor, requests } = await renderEntry(buildEntry({ draft }));
    await within(editor).findByText('Benign nevus.');
    expect(getButton('Save')).toHaveAccessibleDescription(messages.RESULTS_ALL_SAVED);
    await user.click(within(editor).getByText('Benign nevus.'));
    await user.keyboard('{Control>}a{/Control}{Delete}');
    await waitFor(() => {
      expect(getButton('Save')).toHaveAccessibleDescription(messages.PATHOLOGY_TEXT_OR_WITHDRAW);
    });
    expect(getButton('Save')).toBeDisabled();
    await user.keyboard('{Control>}s{/Control}');
    expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
    expect(getButton('Withdraw')).toBeEnabled();
  });

  it('asks for its text before the first save', async () => {
    const { user } = await renderEntry(buildEntry());
    expect(getButton('Save')).toHaveAccessibleDescription(messages.RESULTS_ALL_SAVED);
    await user.type(screen.getByLabelText('Signed Out By'), 'Dana Hall, MD');
    expect(getButton('Save')).toHaveAccessibleDescription(messages.PATHOLOGY_TEXT_REQUIRED);
  });

  it('is released after a question, with its title', async () => {
    const { user, getBody } = await renderEntry(buildEntry({ draft }), {
      'POST /api/v2/orders/12/pathology-release': buildEntry(releasedBiopsy, { version: 4 }),
    });
    await user.click(getButton('Release'));
    const dialog = await screen.findByRole('dialog');
    expect(
      within(dialog).getByText(
        say(messages.CONFIRM_PATHOLOGY_RELEASE, {
          title: 'Result Report',
          test: 'SURGICAL PATHOLOGY',
        }),
      ),
    ).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Release' }));
    expect(await screen.findByText(messages.PATHOLOGY_RELEASED)).toBeVisible();
    expect(getBody('POST')).toEqual({ orderTestIds: [7] });
    expect(await screen.findByRole('article', { name: 'Result Report' })).toBeVisible();
  });

  it('shows why it cannot be released', async () => {
    const reason = say(messages.PATHOLOGY_SIGNER_REQUIRED, { test: 'SURGICAL PATHOLOGY' });
    const { user } = await renderEntry(buildEntry({ draft: { ...draft, signedOutBy: null } }), {
      'POST /api/v2/orders/12/pathology-release': () =>
        buildProblem(400, 'bad_input', reason, [{ field: 'tests.7', message: reason }]),
    });
    await user.click(getButton('Release'));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Release' }),
    );
    expect(await screen.findByText(reason)).toBeVisible();
  });

  it('can be withdrawn before its release', async () => {
    const { user, getBody } = await renderEntry(buildEntry({ draft }), {
      [`PUT ${PATH}/7`]: buildEntry({}, { version: 4 }),
    });
    await user.click(getButton('Withdraw'));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }),
    );
    expect(await screen.findByText(messages.PATHOLOGY_WITHDRAWN)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({ comment: null });
  });
});

describe('A released report', () => {
  it('is revised from its own text, with a reason', async () => {
    const { user, editor, getBody } = await renderEntry(buildEntry(releasedBiopsy), {
      [`PUT ${PATH}/7`]: buildEntry(
        { ...releasedBiopsy, draft: { ...draft, kind: ReportKind.REVISED, title: 'Revision 1' } },
        { version: 4 },
      ),
    });
    expect(screen.queryByLabelText('Reason')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Revision' }));
    expect(await within(editor).findByText('Benign nevus.')).toBeVisible();
    await user.selectOptions(await screen.findByLabelText('Reason'), 'Changed on repeat testing');
    await user.type(screen.getByLabelText('Explanation'), 'Slides were reviewed');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.PATHOLOGY_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      kind: ReportKind.REVISED,
      reasonCode: 'REPEAT',
      explanation: 'Slides were reviewed',
      comment: '<p>Benign nevus.</p>',
    });
  });

  it('marks the reason that a revision lacks', async () => {
    const reason = say(messages.PATHOLOGY_REASON_REQUIRED, { test: 'SURGICAL PATHOLOGY' });
    const revision = { ...draft, kind: ReportKind.REVISED, title: 'Revision 1' };
    const { user } = await renderEntry(buildEntry({ ...releasedBiopsy, draft: revision }), {
      'POST /api/v2/orders/12/pathology-release': () =>
        buildProblem(400, 'bad_input', reason, [{ field: 'tests.7.reasonCode', message: reason }]),
    });
    await user.click(getButton('Release'));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Release' }),
    );
    await waitFor(() =>
      expect(screen.getByLabelText('Reason')).toHaveAccessibleDescription(reason),
    );
  });

  it('gets an addendum, which begins blank', async () => {
    const { user, editor } = await renderEntry(buildEntry(releasedBiopsy));
    await user.click(screen.getByRole('radio', { name: 'Revision' }));
    await within(editor).findByText('Benign nevus.');
    await user.click(screen.getByRole('radio', { name: 'Addendum' }));
    expect(editor).not.toHaveTextContent('Benign nevus.');
    expect(getButton('Save')).toBeDisabled();
  });
});

describe('People without the permission', () => {
  it('read why they may not enter reports', async () => {
    const denied = { allowed: false, reason: messages.RESULT_ENTRY_DISABLED };
    await renderEntry(buildEntry({ draft }, { canEnterResults: denied }));
    expect(screen.getByText(messages.RESULT_ENTRY_DISABLED)).toBeVisible();
    expect(screen.getByLabelText('Signed Out By')).toBeDisabled();
  });
});

describe('A withheld report', () => {
  const withholding = {
    kind: 'review' as const,
    reason: 'Changed on repeat testing',
    words: null,
    by: 'Una User',
    at: '2026-11-20T10:00:00',
  };

  it('is shown again at the end of its review', async () => {
    const { user, getBody } = await renderEntry(
      buildEntry({ ...releasedBiopsy, withheld: withholding }),
      {
        'POST /api/v2/orders/12/pathology-restore': buildEntry(releasedBiopsy, { version: 4 }),
      },
    );
    expect(screen.getByText('Under review · Changed on repeat testing')).toBeVisible();
    await user.click(getButton('More about SURGICAL PATHOLOGY'));
    await user.click(await screen.findByRole('menuitem', { name: 'End review' }));
    expect(await screen.findByText(messages.RESULT_REVIEW_ENDED)).toBeVisible();
    expect(screen.queryByText(/^Under review/)).toBeNull();
    expect(getBody('POST')).toEqual({ orderTestIds: [7] });
  });

  it('says why its author may not release it', async () => {
    const leftBecause = say(messages.RESULT_ENTERED_BY_YOU, { test: 'SURGICAL PATHOLOGY' });
    await renderEntry(buildEntry({ draft, leftBecause }));
    expect(getButton('Release')).toBeDisabled();
    expect(getButton('Release')).toHaveAccessibleDescription(leftBecause);
  });
});
