import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages, say } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { DataImport, DataKind } from '../api';
import { FileDialog } from './FileDialog';

const PATH = '/api/v2/lab-data/payers/csv';
const WAIT = { timeout: 10_000 };
const kind: DataKind = {
  key: 'payers',
  title: 'Payers',
  singular: 'Payer',
  group: 'Billing',
  fields: [],
  identity: [],
  parent: null,
  children: [],
  canChange: { allowed: true, reason: null },
};
const preview: DataImport = {
  token: 'seen',
  added: 1,
  changed: 1,
  unchanged: 5,
  rejected: 1,
  rows: [
    { number: 4, name: '', isNew: false, changes: [], errors: ['Name is required'] },
    {
      number: 2,
      name: 'AETNA',
      isNew: false,
      changes: [{ label: 'Bill type', old: 'MEDICARE', new: 'COMMERCIAL' }],
      errors: [],
    },
    {
      number: 3,
      name: 'NEWCO',
      isNew: true,
      changes: [{ label: 'Name', old: '', new: 'NEWCO' }],
      errors: [],
    },
  ],
};

async function chooseFile(answers: Answers) {
  const onImported = vi.fn();
  const view = await renderPortal(
    <FileDialog kind={kind} onClose={() => undefined} onImported={onImported} />,
    { answers: { [`POST ${PATH}/preview`]: preview, ...answers } },
  );
  const file = new File(['Name\nNEWCO'], 'payers.csv', { type: 'text/csv' });
  await view.user.upload(await screen.findByLabelText('CSV file'), file);
  return { ...view, onImported };
}

describe('A file of rows', () => {
  it('shows each change and each error before anything happens', async () => {
    const { requests } = await chooseFile({});
    expect(await screen.findByText(/1 new, 1 changed, 5 the same/)).toBeVisible();
    expect(screen.getByRole('row', { name: /AETNA/ })).toHaveTextContent('MEDICARE → COMMERCIAL');
    expect(screen.getByText('Name is required')).toBeVisible();
    expect(requests.filter(({ path }) => path === PATH)).toEqual([]);
  });

  it('shows that it is being checked and stored, when that takes longer', async () => {
    const responses: ((response: Response) => void)[] = [];
    const hold = () => new Promise<Response>((resolve) => responses.push(resolve));
    const { user, onImported } = await chooseFile({
      [`POST ${PATH}/preview`]: hold,
      [`POST ${PATH}`]: hold,
    });
    const checking = { name: messages.FILE_CHECKING };
    expect(await screen.findByRole('progressbar', checking, WAIT)).toBeVisible();
    responses[0]?.(Response.json(preview));
    await user.click(await screen.findByRole('button', { name: 'Change 2 rows' }));
    expect(screen.queryByRole('progressbar', checking)).toBeNull();
    const storing = { name: say(messages.LAB_DATA_FILE_APPLYING, { rows: '2 rows' }) };
    expect(await screen.findByRole('progressbar', storing, WAIT)).toBeVisible();
    responses[1]?.(Response.json(preview));
    await waitFor(() => expect(onImported).toHaveBeenCalled());
  });

  it('applies what was previewed', async () => {
    const { user, requests, onImported } = await chooseFile({ [`POST ${PATH}`]: preview });
    await user.click(await screen.findByRole('button', { name: 'Change 2 rows' }));
    await waitFor(() => expect(onImported).toHaveBeenCalled());
    const sentRequest = requests.find(({ path }) => path === PATH);
    expect(sentRequest?.body).toMatchObject({ token: 'seen' });
  });

  it('says that the data has changed, and previews it again', async () => {
    const { user, requests } = await chooseFile({
      [`POST ${PATH}`]: () =>
        buildProblem(409, 'preview_outdated', messages.LAB_DATA_CHANGED_SINCE),
    });
    await user.click(await screen.findByRole('button', { name: 'Change 2 rows' }));
    expect(await screen.findByText(messages.LAB_DATA_CHANGED_SINCE)).toBeVisible();
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === `${PATH}/preview`)).toHaveLength(2),
    );
  });
});
