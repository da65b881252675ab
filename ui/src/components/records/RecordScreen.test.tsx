import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { api } from '../../api';
import { problem } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { PageToolbar } from '../PageToolbar';
import { readingOf } from './Loaded';
import { RecordScreen } from './RecordScreen';

const PATH = '/api/v2/things/12';

function Thing({ id = 12 }: { id?: number | null }) {
  const thing = useQuery({
    queryKey: ['thing'],
    queryFn: () => api.get<{ name: string }>(PATH),
    enabled: id !== null,
    meta: { quiet: true },
  });
  return (
    <RecordScreen
      title="Thing"
      reading={id === null ? null : readingOf(thing)}
      start="/secured/things"
    >
      {({ name }) => (
        <>
          <PageToolbar title={name} />
          <button onClick={() => void thing.refetch()}>Read again</button>
        </>
      )}
    </RecordScreen>
  );
}

const draw = (answer: unknown, id: number | null = 12) =>
  renderPortal(<Thing id={id} />, { answers: { [`GET ${PATH}`]: answer } });

describe('The screen of a record', () => {
  it('shows the record in place of the waiting page', async () => {
    await draw({ name: 'Centrifuge' });
    expect(screen.getByRole('heading', { name: 'Thing' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Centrifuge' })).toHaveFocus();
    expect(screen.queryByRole('heading', { name: 'Thing' })).not.toBeInTheDocument();
  });

  it('offers another try when the portal did not answer', async () => {
    let up = false;
    const { user } = await draw(() => (up ? { name: 'Centrifuge' } : problem(500, 'failed', '')));
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByRole('alert')).toHaveTextContent(/\w/);
    up = true;
    await user.click(again);
    expect(await screen.findByRole('heading', { name: 'Centrifuge' })).toBeVisible();
  });

  it.each([12, null])('leads back from a record that is not there: id %s', async (id) => {
    const { user, router } = await draw(() => problem(404, 'not_found', ''), id);
    expect(await screen.findByText('No record found!')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(router.state.location.pathname).toBe('/secured/things');
  });

  it('keeps a record that is shown when reading it again fails', async () => {
    let up = true;
    const { user, seen } = await draw(() =>
      up ? { name: 'Centrifuge' } : problem(500, 'failed', ''),
    );
    await screen.findByRole('heading', { name: 'Centrifuge' });
    up = false;
    await user.click(screen.getByRole('button', { name: 'Read again' }));
    await expect.poll(() => seen.filter(({ path }) => path === PATH)).toHaveLength(2);
    expect(screen.getByRole('heading', { name: 'Centrifuge' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
