import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../contract';
import { buildProblem, type Answers } from '../../test/portal';
import { buildProfile, renderPortal } from '../../test/render';
import { useDueDocuments } from './api';
import AcceptanceStep from './components/AcceptanceStep';
import type { LegalDocument } from './document';
import { privacyNotice } from './privacyNotice';
import Privacy from './screens/Privacy';
import Terms from './screens/Terms';
import { terms } from './terms';

const PATH = '/api/system/legal';
/** The lab of the tests: name, address, e-mail. */
const LAB = ['Lakeside Clinical Laboratory', '1 Lake St, Chicago, IL', 'help@demo.lab'];
const buildLegal = (acceptedAt: string | null) => ({
  documents: [
    { document: 'privacy', version: privacyNotice.version, acceptedAt: '2026-01-01T00:00:00Z' },
    { document: 'terms', version: terms.version, acceptedAt },
  ],
  isDue: acceptedAt === null,
});

function Gate() {
  const dueDocuments = useDueDocuments();
  return dueDocuments === null ? <p>Results</p> : <AcceptanceStep legal={dueDocuments} />;
}

const openGate = (answers: Answers = {}) =>
  renderPortal(<Gate />, { answers: { [`GET ${PATH}`]: buildLegal(null), ...answers } });

const getText = ({ sections, statement = '' }: LegalDocument): string =>
  [statement, ...sections.flatMap(({ title, content }) => [title, ...content.flat()])].join(' ');

async function computeHash(document: LegalDocument): Promise<string> {
  const bytes = new TextEncoder().encode(getText(document));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

describe('The step after sign-in', () => {
  it('shows the documents to accept, and continues once they are accepted', async () => {
    const { user, requests } = await openGate({
      [`POST ${PATH}/acceptances`]: buildLegal('2026-11-25T10:00:00Z'),
    });
    expect(await screen.findByRole('heading', { name: messages.LEGAL_STEP_TITLE })).toHaveFocus();
    const documents = within(screen.getByRole('region', { name: 'Documents' }));
    expect(documents.getByRole('region', { name: terms.title })).toBeVisible();
    expect(documents.queryByRole('region', { name: privacyNotice.title })).toBeNull();
    const next = screen.getByRole('button', { name: 'Continue' });
    expect(next).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: messages.LEGAL_STEP_CHECK }));
    await user.click(next);
    expect(await screen.findByText('Results')).toBeVisible();
    expect(
      requests.find(({ method, path }) => method === 'POST' && path.startsWith(PATH))?.body,
    ).toEqual({ documents: [{ document: 'terms', version: terms.version }] });
  });

  it('is not shown to users who have accepted everything', async () => {
    const { requests } = await openGate({ [`GET ${PATH}`]: buildLegal('2026-01-01T00:00:00Z') });
    await waitFor(() => expect(requests.some(({ path }) => path === PATH)).toBe(true));
    expect(await screen.findByText('Results')).toBeVisible();
  });

  it('is skipped while a required second factor is missing', async () => {
    const { requests } = await renderPortal(<Gate />, {
      user: { ...buildProfile(), mustSetUpSecondFactor: true },
    });
    expect(await screen.findByText('Results')).toBeVisible();
    expect(requests.some(({ path }) => path === PATH)).toBe(false);
  });

  it('says that a newer version is in force', async () => {
    const { user } = await openGate({
      [`POST ${PATH}/acceptances`]: () =>
        buildProblem(409, 'document_changed', messages.LEGAL_CHANGED),
    });
    await user.click(await screen.findByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(messages.LEGAL_CHANGED)).toBeVisible();
  });

  it('lets people log out', async () => {
    const { user, session } = await openGate();
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(session.getState().status).toBe('signedOut'));
  });
});

describe('The notice of privacy practices', () => {
  it('names the lab, its address and e-mail, and refers to Illinois law', async () => {
    await renderPortal(<Privacy />);
    const text = screen.getByRole('article').textContent;
    for (const part of [...LAB, 'State of Illinois']) expect(text).toContain(part);
    expect(text).not.toMatch(/[{}]/);
  });

  it.each([
    'PLEASE REVIEW IT CAREFULLY',
    'For treatment',
    'For payment',
    'For health care operations',
    'psychotherapy notes',
    'marketing',
    'sale of health information',
    'revoke',
    'Restrictions',
    'paid for a test in full yourself',
    'Confidential communication',
    'Access.',
    'Amendment',
    'Accounting',
    'Paper copy',
    'breach',
    '42 CFR Part 2',
    'We may change this notice',
    'Secretary of the U.S. Department of Health and Human Services',
    'will not retaliate',
    'Privacy Officer',
  ])('has what 45 CFR 164.520 requires: %s', (part) => {
    expect(getText(privacyNotice)).toContain(part);
  });
});

describe('The terms', () => {
  it('have sections 1 to 8 with the name of the lab', async () => {
    await renderPortal(<Terms />);
    const article = within(screen.getByRole('article'));
    const titles = article
      .getAllByRole('heading', { level: 2 })
      .map((heading) => heading.textContent);
    expect(titles.map((title) => title.slice(0, 2))).toEqual(
      Array.from({ length: 8 }, (_, index) => `${index + 1}.`),
    );
    expect(screen.getByRole('article')).toHaveTextContent('Lakeside Clinical Laboratory');
  });

  it('name Illinois, Will County and the periods', () => {
    const text = getText(terms);
    expect(text).toContain('law of the State of Illinois');
    expect(text).toContain('Will County, Illinois');
    expect(text).toMatch(/not cured within ten \(10\) days/);
    expect(text).toMatch(/Within ten \(10\) days after the end, each party returns/);
  });
});

describe('A changed text', () => {
  // People have to accept it again: a new text needs a new version in limits.py.
  it.each([
    [privacyNotice, '2026-11-25 078b055b77c3'],
    [terms, '2026-11-25 deb1c6271525'],
  ])('has a new version', async (document, expected) => {
    expect(`${document.version} ${await computeHash(document)}`).toBe(expected);
  });
});
