import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { ResultStatus } from '../../../contract';
import { renderPortal } from '../../../test/render';
import type { MicrobiologyResult, OrganismResult, Sensitivity } from './api';
import { MicrobiologyResults } from './MicrobiologyResults';
import { listAntibiotics } from './susceptibilities';

const buildRow = (
  antibioticName: string,
  mic: string,
  flag: Sensitivity['microbiologyInterpretationType'],
): Sensitivity => ({
  antibioticName,
  mic,
  method: 'MIC',
  microbiologyInterpretationType: flag,
  comment: null,
});

const buildOrganism = (name: string, sensitivity: Sensitivity[]): OrganismResult => ({
  name,
  cultureQuantityName: '> 100,000 CFU/mL',
  mark: null,
  comment: null,
  organismComment: null,
  isFlora: false,
  sensitivity,
});

const coli: OrganismResult = {
  ...buildOrganism('Escherichia coli', [
    buildRow('Ampicillin', '>32', 'R'),
    buildRow('Ceftriaxone', '>=64', 'R'),
    buildRow('Ciprofloxacin', '0.5', 'I'),
  ]),
  mark: 'ESBL',
  organismComment: 'Produces an extended-spectrum beta-lactamase.',
};
const faecalis = buildOrganism('Enterococcus faecalis', [
  buildRow('Ampicillin', '<=2', 'S'),
  buildRow('Vancomycin', '1', 'S'),
]);

const culture: MicrobiologyResult = {
  key: 7,
  name: 'CULTURE, URINE',
  status: ResultStatus.PRELIMINARY,
  label: 'PRELIMINARY',
  awaitsCollection: false,
  withheld: null,
  withheldAt: null,
  resultType: 64,
  tests: ['CULTURE, URINE'],
  revision: 1,
  sources: ['Urine, clean catch'],
  collectionSite: null,
  collected: '2026-11-20T15:30:00',
  result: null,
  findings: [{ name: 'Leukocytes', cultureQuantityName: 'Few' }],
  organisms: [coli, faecalis],
  preliminaryReleased: true,
  preliminaryResultComment: 'Identification follows.',
  resultReportComments: ['Call the lab.'],
  isCritical: false,
  isAbnormal: true,
  releasedAt: '2026-11-22T09:12:00',
  releasedBy: 'Lara Bench',
  corrections: [],
  earlier: [],
};

async function renderCulture(values: Partial<MicrobiologyResult> = {}) {
  const view = await renderPortal(<MicrobiologyResults orderId={12} />, {
    answers: { 'GET /api/v2/orders/12/microbiology-results': [{ ...culture, ...values }] },
  });
  const section = await screen.findByRole('region', { name: 'CULTURE, URINE' });
  return { ...view, section: within(section) };
}

describe('A culture', () => {
  it('shows specimen, findings, comments, and its release', async () => {
    const { section } = await renderCulture();
    expect(section.getByText('PRELIMINARY')).toBeVisible();
    expect(section.getByText('released 11/22/2026 09:12 AM by Lara Bench')).toBeVisible();
    expect(section.getByText('Urine, clean catch')).toBeVisible();
    expect(section.getByText('Leukocytes')).toBeVisible();
    expect(section.getByText('Identification follows.')).toBeVisible();
    expect(section.getByText('Call the lab.')).toBeVisible();
  });

  it('says that it was withdrawn, and when', async () => {
    const { section } = await renderCulture({
      revision: 0,
      label: 'PENDING',
      organisms: [],
      findings: [],
      withheld: 'withdrawn' as const,
      withheldAt: '2026-11-20T10:00:00',
    });
    expect(section.getByText('WITHDRAWN 11/20/2026 10:00 AM')).toBeVisible();
    expect(section.queryByText('PENDING')).toBeNull();
  });

  it('compares its organisms over the same antibiotics', async () => {
    const { section } = await renderCulture();
    const rows = section.getAllByRole('row').map((row) => row.textContent);
    expect(rows).toEqual([
      'Antibiotic1 · Escherichia coli > 100,000 CFU/mL ESBL2 · Enterococcus faecalis > 100,000 CFU/mL ',
      'Ampicillin> 32R≤ 2S',
      'Vancomycin—1S',
      'Ceftriaxone≥ 64R—',
      'Ciprofloxacin0.5I—',
    ]);
    expect(section.getByText(/MIC in µg\/mL/)).toHaveTextContent(
      'MIC in µg/mL. S susceptible · I intermediate · R resistant',
    );
    expect(section.getByText(/extended-spectrum/)).toBeVisible();
  });

  it('gives organisms equal widths, whatever their names', async () => {
    const pseudomonas = buildOrganism('Pseudomonas aeruginosa', [buildRow('Cefepime', '4', 'S')]);
    const { section } = await renderCulture({ organisms: [coli, faecalis, pseudomonas, coli] });
    const [, ...heads] = section.getAllByRole('columnheader');
    expect(heads.map(({ style }) => style.width)).toEqual(['19%', '19%', '19%', '19%']);
  });

  it('numbers each organism by its place, also in front of its comment', async () => {
    const plain = buildOrganism('Candida albicans', []);
    const second = { ...coli, mark: null, organismComment: null, comment: 'Mucoid strain.' };
    const { section } = await renderCulture({ organisms: [coli, plain, second] });
    const heads = section.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(heads[1]).toMatch(/^1 · Escherichia coli/);
    expect(heads[2]).toMatch(/^3 · Escherichia coli/);
    expect(section.getByText(/^2 ·/)).toHaveTextContent('2 · Candida albicans');
    expect(section.getByText(/Mucoid strain/)).toHaveTextContent(
      '3 · Escherichia coli: Mucoid strain.',
    );
  });

  it('lists organisms without susceptibilities as lines', async () => {
    const { section } = await renderCulture({ organisms: [{ ...coli, sensitivity: [] }] });
    expect(section.queryByRole('table')).toBeNull();
    expect(section.getAllByText('Escherichia coli')[0]).toBeVisible();
  });

  it('names what is critical, corrected, and not released', async () => {
    const { section } = await renderCulture({
      isCritical: true,
      status: ResultStatus.UNRELEASED,
      label: 'PENDING',
      releasedAt: null,
    });
    for (const text of ['CRITICAL', 'PENDING', 'NOT RELEASED']) {
      expect(section.getByText(text)).toBeVisible();
    }
  });

  it('says only PENDING before its release, without content', async () => {
    const { section } = await renderCulture({
      revision: 0,
      status: ResultStatus.UNRELEASED,
      label: 'PENDING',
      releasedAt: null,
    });
    expect(section.getByText('PENDING')).toBeVisible();
    expect(section.queryByText('NOT RELEASED')).toBeNull();
  });

  it('explains a correction and keeps the earlier version legible', async () => {
    const { section, user } = await renderCulture({
      label: 'FINAL',
      status: ResultStatus.FINAL,
      preliminaryReleased: false,
      corrections: [
        {
          revision: 2,
          reason: 'Typing error',
          explanation: 'Read again',
          releasedBy: 'Lara Bench',
          releasedAt: '2026-11-22T09:12:00',
          changes: [
            { subject: 'Escherichia coli, Ampicillin', was: '2 S', now: '>32 R' },
            { subject: 'Comment', was: null, now: 'Call the lab.' },
          ],
        },
      ],
      earlier: [{ ...culture, releasedAt: '2026-11-21T08:00:00' }],
    });
    expect(section.getByText('CORRECTED')).toBeVisible();
    expect(section.getByText(/by Lara Bench: Typing error · Read again/)).toBeVisible();
    expect(section.getByText('Escherichia coli, Ampicillin: was 2 S, is >32 R')).toBeVisible();
    expect(section.getByText('Comment: was not reported, is Call the lab.')).toBeVisible();
    await user.click(section.getByText('Earlier versions (1)'));
    expect(
      section.getByText('Preliminary, released 11/21/2026 08:00 AM by Lara Bench'),
    ).toBeVisible();
  });

  it('shows only its status before it is entered', async () => {
    const { section } = await renderCulture({
      revision: 0,
      label: 'PENDING',
      organisms: [],
      findings: [],
      releasedAt: null,
    });
    expect(section.getByText('PENDING')).toBeVisible();
    expect(section.queryByText('Source')).toBeNull();
  });
});

describe('The order of antibiotics', () => {
  it('merges the orders of all organisms', () => {
    const build = (...names: string[]) =>
      buildOrganism(
        'X',
        names.map((name) => buildRow(name, '1', 'S')),
      );
    expect(listAntibiotics([build('A', 'C', 'D'), build('A', 'B', 'C', 'E')])).toEqual([
      'A', 'B', 'C', 'E', 'D',
    ]); // prettier-ignore
    expect(listAntibiotics([])).toEqual([]);
  });
});
