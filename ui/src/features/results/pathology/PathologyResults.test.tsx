import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { ReportKind, ResultStatus } from '../../../contract';
import { renderPortal } from '../../../test/render';
import type { PathologyReport, PathologyResult } from './api';
import { PathologyResults } from './PathologyResults';

const report: PathologyReport = {
  id: 1,
  title: 'Result Report',
  status: ReportKind.NORMAL_RELEASE,
  comment: '<h3>Diagnosis</h3><p>Benign nevus.</p>',
  flag: 'N',
  signedOutBy: 'DANA HALL, MD',
  releasedBy: 'Lara Bench',
  releasedAt: '2026-11-20T10:05:00',
  reason: null,
  explanation: null,
  replacedBy: null,
  withheld: null,
  resultReportComments: [],
};

const replacedReport: PathologyReport = { ...report, replacedBy: 'Revision 1' };
const addendum: PathologyReport = {
  ...report,
  id: 2,
  title: 'Addendum 1',
  status: ReportKind.ADDENDUM_RELEASE,
  comment: '<p>Stains agree.</p>',
};
const revision: PathologyReport = {
  ...report,
  id: 3,
  title: 'Revision 1',
  status: ReportKind.REVISED_RELEASE,
  comment: '<p>Melanoma.</p>',
  flag: 'AA',
  reason: 'Changed identification',
  explanation: 'Slides were reviewed',
};

const test: PathologyResult = {
  key: 7,
  name: 'SURGICAL PATHOLOGY',
  status: ResultStatus.FINAL,
  awaitsCollection: false,
  withheld: null,
  withheldAt: null,
  label: 'FINAL',
  results: [report],
};

const renderResults = (results: Partial<PathologyResult>) =>
  renderPortal(<PathologyResults orderId={12} />, {
    answers: { 'GET /api/v2/orders/12/pathology-results': [{ ...test, ...results }] },
  });

describe('Pathology results', () => {
  it('show the text, who signed it out, and who released it when', async () => {
    await renderResults({});
    const article = await screen.findByRole('article', { name: 'Result Report' });
    expect(within(article).getByRole('heading', { name: 'Diagnosis' })).toBeVisible();
    expect(within(article).getByText('Benign nevus.')).toBeVisible();
    expect(
      within(article).getByText(/Signed out by DANA HALL, MD · released .* by Lara Bench/),
    ).toBeVisible();
    expect(screen.getByText('FINAL')).toBeVisible();
  });

  it('name another lab that performed the test', async () => {
    const resultReportComments = ['Performed by NORTH LAB'];
    await renderResults({ results: [{ ...report, resultReportComments }] });
    const article = await screen.findByRole('article', { name: 'Result Report' });
    expect(within(article).getByText('Performed by NORTH LAB')).toBeVisible();
  });

  it('begin with the report in force, then addenda, then what was replaced', async () => {
    await renderResults({ results: [replacedReport, addendum, revision] });
    const articles = await screen.findAllByRole('article');
    expect(
      articles.map((article) => within(article).getAllByRole('heading')[0]?.textContent),
    ).toEqual(['Revision 1', 'Addendum 1', 'Result Report']);
  });

  it('mark withdrawn reports for the lab, below those in force', async () => {
    const withdrawnAddendum = { ...addendum, flag: 'AA' as const, withheld: 'withdrawn' as const };
    await renderResults({
      results: [
        { ...replacedReport, withheld: 'withdrawn' as const },
        withdrawnAddendum,
        { ...revision, withheld: 'review' as const },
      ],
    });
    const articles = (await screen.findAllByRole('article')).map((article) => within(article));
    expect(articles.map((article) => article.getAllByRole('heading')[0]?.textContent)).toEqual([
      'Revision 1',
      'Addendum 1',
      'Result Report',
    ]);
    expect(articles[0]?.getByText('UNDER REVIEW')).toBeVisible();
    expect(articles[1]?.getByText('WITHDRAWN')).toBeVisible();
    expect(articles[1]?.queryByText('CRITICAL')).toBeNull();
    expect(articles[2]?.getByText('WITHDRAWN')).toBeVisible();
    expect(articles[2]?.getByText('Replaced by Revision 1')).toBeVisible();
  });

  it('keep a replaced report legible, and name what replaced it and why', async () => {
    await renderResults({ results: [replacedReport, revision] });
    const oldReport = await screen.findByRole('article', { name: 'Result Report' });
    expect(within(oldReport).getByText('Replaced by Revision 1')).toBeVisible();
    expect(within(oldReport).getByText('Benign nevus.')).toBeVisible();
    expect(oldReport.querySelector('s, del')).toBeNull();
    const current = screen.getByRole('article', { name: 'Revision 1' });
    expect(
      within(current).getByText('Reason: Changed identification · Slides were reviewed'),
    ).toBeVisible();
    expect(within(current).getByText('CRITICAL')).toBeVisible();
  });

  it.each(['PENDING', 'CANCELED'])('show %s while there is no report', async (label) => {
    await renderResults({ results: [], label, status: ResultStatus.PENDING });
    expect(await screen.findByText(label)).toBeVisible();
    expect(screen.queryByRole('article')).toBeNull();
  });

  it('say that they were withdrawn, and when', async () => {
    await renderResults({
      results: [],
      label: 'PENDING',
      withheld: 'withdrawn' as const,
      withheldAt: '2026-11-20T10:00:00',
    });
    expect(await screen.findByText('WITHDRAWN 11/20/2026 10:00 AM')).toBeVisible();
    expect(screen.queryByText('PENDING')).toBeNull();
  });

  it('mark a report that only the lab sees', async () => {
    await renderResults({
      results: [{ ...report, status: ReportKind.NORMAL, releasedAt: null, releasedBy: null }],
    });
    expect(await screen.findByText('NOT RELEASED')).toBeVisible();
  });
});
