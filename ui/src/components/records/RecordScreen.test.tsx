import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { api } from '../../api';
import { buildProblem } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { PageToolbar } from '../PageToolbar';
import { toLoadState } from './Loaded';
import { RecordScreen } from './RecordScreen';

const PATH = '/api/v2/things/12';

function RecordPage({ id = 12 }: { id?: number | null }) {
  const query = useQuery({
    queryKey: ['thing'],
    queryFn: () => api.get<{ name: string }>(PATH),
    enabled: id !== null,
    meta: { quiet: true },
  });
  return (
    <RecordScreen
      title="Thing"
      loadState={id === null ? null : toLoadState(query)}
      start="/secured/things"
    >
      {({ name }) => (
        <>
          <PageToolbar title={name} />
          <button onClick={() => void query.refetch()}>Read again</button>
        </>
      )}
    </RecordScreen>
  );
}

const renderRecord = (answer: unknown, id: number | null = 12) =>
  renderPortal(<RecordPage id={id} />, { answers: { [`GET ${PATH}`]: answer } });

describe('A record screen', () => {
  it('replaces the placeholder page with the record', async () => {
    await renderRecord({ name: 'Centrifuge' });
    expect(screen.getByRole('heading', { name: 'Thing' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Centrifuge' })).toHaveFocus();
    expect(screen.queryByRole('heading', { name: 'Thing' })).not.toBeInTheDocument();
  });

  it('offers a retry when the portal does not respond', async () => {
    let isUp = false;
    const { user } = await renderRecord(() =>
      isUp ? { name: 'Centrifuge' } : buildProblem(500, 'failed', ''),
    );
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByRole('alert')).toHaveTextContent(/\w/);
    isUp = true;
    await user.click(retryButton);
    expect(await screen.findByRole('heading', { name: 'Centrifuge' })).toBeVisible();
  });

  it.each([12, null])('leads back from a missing record: id %s', async (id) => {
    const { user, router } = await renderRecord(() => buildProblem(404, 'not_found', ''), id);
    expect(await screen.findByText('No record found!')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(router.state.location.pathname).toBe('/secured/things');
  });

  it('keeps the record on screen when reloading it fails', async () => {
    let isUp = true;
    const { user, requests } = await renderRecord(() =>
      isUp ? { name: 'Centrifuge' } : buildProblem(500, 'failed', ''),
    );
    await screen.findByRole('heading', { name: 'Centrifuge' });
    isUp = false;
    await user.click(screen.getByRole('button', { name: 'Read again' }));
    await expect.poll(() => requests.filter(({ path }) => path === PATH)).toHaveLength(2);
    expect(screen.getByRole('heading', { name: 'Centrifuge' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
