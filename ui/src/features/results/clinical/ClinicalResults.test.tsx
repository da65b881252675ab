import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { buildProfile, renderPortal } from '../../../test/render';
import { ClinicalResults } from './ClinicalResults';
import { buildSeries, placePoints } from './series';

const row = {
  parentKey: 1,
  comment: null,
  unit: 'mg/dL',
  referenceRange: '70 - 99',
  status: 16,
  clinicalRangeComment: null,
  resultReportComments: [],
  isAbnormal: false,
  isCritical: false,
  isPanel: false,
  hasNoRange: false,
  isCorrected: false,
  corrections: [],
  reason: null,
  reasonWords: null,
  withheld: null,
  awaitsCollection: false,
  flag: 'N',
};
const results = [
  { ...row, key: 1, parentKey: null, name: 'PANEL', result: null, flag: null, isPanel: true },
  { ...row, key: 2, name: 'SODIUM', result: '140' },
  { ...row, key: 3, name: 'UREA', result: '90', flag: 'H', isAbnormal: true },
  {
    ...row,
    key: 4,
    name: 'GLUCOSE',
    result: '512',
    flag: 'HH',
    isAbnormal: true,
    isCritical: true,
  },
];
const lastValues = [
  {
    key: 3,
    values: [
      { collectionDate: '2026-01-04T08:00:00', result: '60', number: 60, flag: 'H' },
      { collectionDate: '2026-02-04T08:00:00', result: '75', number: 75, flag: 'H' },
    ],
  },
];

const renderResults = (rows: object[] = results, values: object[] = lastValues) =>
  renderPortal(<ClinicalResults orderId={12} />, {
    user: buildProfile(Role.PHYSICIAN),
    answers: {
      'GET /api/v2/orders/12': { collectionDate: '2026-03-04T08:00:00' },
      'GET /api/v2/orders/12/clinical-results': rows,
      'GET /api/v2/orders/12/last-values': values,
    },
  });

const listTests = () =>
  screen.getAllByRole('rowheader').map(({ textContent }) => textContent.trim());

describe('Clinical results', () => {
  it('show their comment, and what the report says about them besides', async () => {
    const resultReportComments = ['Calculated: CKD-EPI 2021', 'Performed by NORTH LAB'];
    const comment = 'Repeated once';
    await renderResults([
      { ...row, key: 2, name: 'EGFR', result: '92', comment, resultReportComments },
    ]);
    const header = await screen.findByRole('rowheader', { name: /EGFR/ });
    for (const text of [comment, ...resultReportComments])
      expect(within(header).getByText(text)).toBeVisible();
  });

  it('show abnormal ones first, without panels, and remember the choice', async () => {
    const { user, device } = await renderResults();
    const option = await screen.findByRole('checkbox', { name: 'Abnormal first' });
    await user.click(option);
    expect(listTests()).toEqual(['GLUCOSE', 'UREA', 'SODIUM']);
    expect(device.preferences.get('abnormalFirst')).toBe(true);
    await user.click(option);
    expect(listTests()).toEqual(['SODIUM', 'UREA', 'GLUCOSE']);
    expect(screen.getByText('PANEL')).toBeVisible();
  });

  it('mark a value whose specimen was rejected later', async () => {
    await renderResults([
      { ...row, key: 2, name: 'SODIUM', result: '140', awaitsCollection: true },
    ]);
    const sodiumRow = await screen.findByRole('row', { name: /SODIUM/ });
    expect(within(sodiumRow).getByText('140')).toBeVisible();
    expect(within(sodiumRow).getByText(messages.SPECIMEN_NEEDED)).toBeVisible();
  });

  it('show the last values of a test on focus, until Escape', async () => {
    const { user } = await renderResults();
    const ureaButton = await screen.findByRole('button', { name: 'UREA' });
    ureaButton.focus();
    const trend = await screen.findByRole('tooltip');
    const trendRows = await within(trend).findAllByRole('row');
    expect(trendRows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/03\/04\/2026 08:00 AM.*90.*H/),
      expect.stringMatching(/02\/04\/2026 08:00 AM.*75/),
      expect.stringMatching(/01\/04\/2026 08:00 AM.*60/),
    ]);
    expect(ureaButton).toHaveAccessibleDescription(/Last values, mg\/dL/);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('tooltip')).not.toBeInTheDocument());
  });

  it('show the last earlier value of a test and its date', async () => {
    await renderResults();
    expect(await screen.findByRole('columnheader', { name: 'Last Values' })).toBeInTheDocument();
    const getLastCell = (test: string) =>
      within(screen.getByRole('row', { name: new RegExp(test) }))
        .getAllByRole('cell')
        .at(-1);
    await waitFor(() => expect(getLastCell('UREA')).toHaveTextContent('7502/04/2026'));
    expect(getLastCell('SODIUM')).toBeEmptyDOMElement();
  });

  it('show no heading of last values if there are none, but keep its place', async () => {
    await renderResults(results, []);
    const heading = await screen.findByText('Last Values');
    expect(heading).toHaveAttribute('data-blank', 'true');
  });

  it('say when there are no earlier values', async () => {
    await renderResults();
    (await screen.findByRole('button', { name: 'SODIUM' })).focus();
    expect(await screen.findByText(messages.RESULT_NO_EARLIER)).toBeVisible();
  });
});

describe('Released results', () => {
  it('name who released them, where the portal says so', async () => {
    await renderResults([
      { ...row, key: 2, name: 'SODIUM', result: '140', releasedBy: 'Lee Bench' },
      { ...row, key: 3, name: 'UREA', result: '20', releasedBy: messages.AUTOVERIFICATION },
      { ...row, key: 4, name: 'GLUCOSE', result: '90', releasedBy: 'Lee Bench' },
    ]);
    const list = await screen.findByRole('list', { name: 'Released by' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Released by Lee Bench: SODIUM, GLUCOSE',
      `${messages.RELEASED_BY_AUTOVERIFICATION}: UREA`,
    ]);
  });

  it('name nobody outside the lab', async () => {
    await renderResults(results.map((result) => ({ ...result, releasedBy: null })));
    expect(await screen.findByText('SODIUM')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Released by' })).not.toBeInTheDocument();
  });
});

describe('The correction of a clinical result', () => {
  const correction = {
    result: '90',
    flag: 'N',
    unit: 'mg/dL',
    referenceRange: '70 - 99',
    comment: null,
    correctedAt: '2026-03-04T10:01:00',
    correctedBy: 'Lee Bench',
    reason: 'Transcription error',
    words: null,
  };
  const glucose = {
    ...row,
    key: 4,
    name: 'GLUCOSE',
    result: '5.0',
    unit: 'mmol/L',
    referenceRange: '3.9 - 5.5',
    isCorrected: true,
  };

  it('names the unit of the earlier value, and its range if that differs', async () => {
    await renderResults([{ ...glucose, corrections: [correction] }]);
    const words = /^was 90 mg\/dL N, range 70 - 99 until .* · Lee Bench · Transcription error$/;
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('names a changed comment on an unchanged value, for each correction', async () => {
    const earlier = { ...correction, result: '5.0', unit: 'mmol/L', referenceRange: '3.9 - 5.5' };
    const corrections = [
      { ...earlier, comment: 'Hemolyzed' },
      { ...earlier, comment: 'Fasting', correctedAt: '2026-03-05T10:01:00' },
    ];
    await renderResults([{ ...glucose, comment: 'Fasting', corrections }]);
    expect(await screen.findByText(/^was 5.0 mmol\/L N, comment 'Hemolyzed' until/)).toBeVisible();
    expect(screen.getByText(/^was 5.0 mmol\/L N until/)).toBeVisible();
  });
});

describe('The correction of a withdrawn clinical result', () => {
  it('is marked with its reason', async () => {
    const corrected = {
      ...row,
      key: 2,
      name: 'SODIUM',
      result: '140',
      isCorrected: true,
      reason: 'Wrong specimen or patient',
      reasonWords: 'Rack 7',
    };
    await renderResults([corrected], []);
    expect(await screen.findByText('CORRECTED')).toBeVisible();
    expect(screen.getByText('Corrected result · Wrong specimen or patient · Rack 7')).toBeVisible();
  });
});

describe('A clinical result without a range', () => {
  it('says that it was not judged', async () => {
    const unjudgedResult = { result: '8.00', flag: null, referenceRange: null, hasNoRange: true };
    await renderResults([{ ...row, key: 4, name: 'CREATININE', ...unjudgedResult }]);
    const mark = await screen.findByText(messages.RESULT_NO_RANGE);
    expect(mark).toHaveAttribute('title', messages.RESULT_NO_RANGE_REASON);
  });
});

describe('A withheld clinical result', () => {
  const withdrawal = { withheld: 'withdrawn' as const, withheldAt: '2026-11-20T10:00:00' };
  const state = 'WITHDRAWN 11/20/2026 10:00 AM';

  it('says so once, in the place of its value', async () => {
    await renderResults([{ ...row, key: 4, name: 'CREATININE', result: null, ...withdrawal }]);
    expect(await screen.findAllByText(state)).toHaveLength(1);
    expect(screen.getByRole('cell', { name: state })).toBeVisible();
  });

  it('is marked beside the value that only the lab sees', async () => {
    await renderResults([{ ...row, key: 4, name: 'CREATININE', result: '8.00', ...withdrawal }]);
    expect(await screen.findAllByText(state)).toHaveLength(1);
    expect(screen.getByText('8.00')).toBeVisible();
  });
});

describe('The points of a trend', () => {
  const size = { width: 220, height: 48 };

  it('leave out text, and are placed by their times', () => {
    const points = placePoints(
      [
        { collectionDate: '2026-01-01T00:00:00', number: 1 },
        { collectionDate: '2026-01-02T00:00:00', number: null },
        { collectionDate: '2026-01-02T00:00:00', number: 3 },
        { collectionDate: '2026-01-05T00:00:00', number: 2 },
      ],
      size,
    );
    expect(points.map(({ x }) => x)).toEqual([5, 57.5, 215]);
    expect(points.map(({ y }) => y)).toEqual([43, 5, 24]);
  });

  it('are in the middle if all are equal', () => {
    const at = '2026-01-01T00:00:00';
    expect(placePoints([{ collectionDate: at, number: 4 }], size)).toEqual([{ x: 110, y: 24 }]);
  });

  it.each([
    [
      ['2026-01-01T00:00:00', '2026-01-01T00:00:00'],
      [5, 215],
    ],
    [
      ['2026-01-01T00:00:00', '2026-01-01T00:00:00', '2026-01-01T00:00:00'],
      [5, 110, 215],
    ],
    // A quarter of the average distance, from a year to the minute.
    [
      ['2025-01-01T00:00:00', '2026-01-01T08:00:00', '2026-01-01T08:00:00'],
      [5, 191.7, 215],
    ],
  ])('keep a distance at equal times: %j', (dates, expectedPlaces) => {
    const points = placePoints(
      dates.map((collectionDate, number) => ({ collectionDate, number })),
      size,
    );
    expect(points.map(({ x }) => Math.round(x * 10) / 10)).toEqual(expectedPlaces);
  });

  it("are ordered by time, whichever order's page shows them", () => {
    const value = { result: '5', number: 5, flag: null };
    const earlier = [
      { ...value, collectionDate: '2026-01-01T00:00:00' },
      { ...value, collectionDate: '2026-01-03T00:00:00' },
    ];
    const series = buildSeries(earlier, { result: '6', flag: null }, '2026-01-02T00:00:00');
    expect(series.map(({ result }) => result)).toEqual(['5', '6', '5']);
  });
});
