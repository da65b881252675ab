import { z } from 'zod';

import {
  buildListFormat,
  buildValueFormat,
  textFormat,
  type FieldTable,
} from '../../../components/forms/fieldTable';
import { messages } from '../../../contract';
import { isDateTime, readDateTime, writeDateTime } from '../../../lib/dateTimes';
import type {
  CultureEntryTest,
  CultureWrite,
  MicrobiologyEntryOrder,
  MicrobiologyLists,
} from './api';

/** The sensitivity to an antibiotic, as typed; empty texts are missing values. */
export interface SensitivityValues {
  antibiotic: string;
  method: string;
  mic: string;
  /** Empty while the lab's breakpoints decide. */
  interpretation: string;
  reporting: string;
  comment: string;
}

export interface OrganismValues {
  code: string;
  quantity: string;
  mark: string;
  comment: string;
  sensitivity: SensitivityValues[];
}

export interface FindingValues {
  code: string;
  quantity: string;
}

export interface CultureValues {
  source: string;
  site: string;
  /** A date with or without a time, as `lib/dateTimes` describes it. */
  collected: string;
  result: string;
  findings: FindingValues[];
  organisms: OrganismValues[];
  comment: string;
  preliminaryComment: string;
  reasonCode: string;
  explanation: string;
}

const text = z.string();

export const schema: z.ZodType<CultureValues, CultureValues> = z.object({
  source: text,
  site: text,
  collected: text.refine(isDateTime, messages.DATE_INVALID),
  result: text,
  findings: z.array(z.object({ code: text, quantity: text })),
  organisms: z.array(
    z.object({
      code: text,
      quantity: text,
      mark: text,
      comment: text,
      sensitivity: z.array(
        z.object({
          antibiotic: text,
          method: text,
          mic: text,
          interpretation: text,
          reporting: text,
          comment: text,
        }),
      ),
    }),
  ),
  comment: text,
  preliminaryComment: text,
  reasonCode: text,
  explanation: text,
});

type Terms = readonly { code: string; name: string }[];

const findName = (terms: Terms, code: string): string =>
  terms.find((term) => term.code === code)?.name ?? code;

const joinWords = (...words: string[]): string => words.filter((word) => word !== '').join(' ');

/** An organism with everything typed: 'Escherichia coli Few (Ampicillin >16 R)'. */
function describeOrganism(organism: OrganismValues, lists: MicrobiologyLists): string {
  const readings = organism.sensitivity.map(({ antibiotic, ...reading }) =>
    joinWords(
      findName(lists.antibiotics, antibiotic),
      reading.mic,
      reading.interpretation,
      reading.comment,
    ),
  );
  return joinWords(
    findName(lists.organisms, organism.code),
    findName(lists.quantities, organism.quantity),
    findName(lists.marks, organism.mark),
    organism.comment,
    readings.length === 0 ? '' : `(${readings.join(', ')})`,
  );
}

/** The fields of the form, whose values the lab's lists name. A field without a row is a type error. */
export const buildFields = (lists: MicrobiologyLists) =>
  ({
    source: {
      label: 'Source',
      wire: 'source',
      format: buildValueFormat((code: string) => findName(lists.sources, code)),
    },
    site: {
      label: 'Collection Site',
      wire: 'site',
      format: buildValueFormat((code: string) => findName(lists.sites, code)),
    },
    collected: { label: 'Collected', wire: 'collected', format: textFormat },
    result: { label: 'Result', wire: 'result', format: textFormat },
    findings: {
      label: 'Findings',
      wire: 'findings',
      errorLevel: 'part',
      format: buildListFormat(
        ({ code, quantity }: FindingValues) =>
          joinWords(findName(lists.findings, code), findName(lists.quantities, quantity)),
        null,
      ),
    },
    organisms: {
      label: 'Organisms',
      wire: 'organisms',
      errorLevel: 'part',
      format: buildListFormat(
        (organism: OrganismValues) => describeOrganism(organism, lists),
        null,
      ),
    },
    comment: { label: 'Comment', wire: 'comment', format: textFormat },
    preliminaryComment: {
      label: 'Preliminary Comment',
      wire: 'preliminaryComment',
      format: textFormat,
    },
    reasonCode: { label: 'Reason', wire: 'reasonCode', format: textFormat },
    explanation: { label: 'Explanation', wire: 'explanation', format: textFormat },
  }) satisfies FieldTable<CultureValues, keyof CultureWrite>;

export const blankOrganism: OrganismValues = {
  code: '',
  quantity: '',
  mark: '',
  comment: '',
  sensitivity: [],
};

export const buildSensitivity = (antibiotic: string): SensitivityValues => ({
  antibiotic,
  method: 'MIC',
  mic: '',
  interpretation: '',
  reporting: 'cascade',
  comment: '',
});

/** Sorts by the lab's list of antibiotics; ended antibiotics, which are not on it, are last. */
export function sortByLabList(
  rows: readonly SensitivityValues[],
  { antibiotics }: Pick<MicrobiologyLists, 'antibiotics'>,
): SensitivityValues[] {
  const positions = new Map(antibiotics.map(({ code }, index) => [code, index]));
  const getPosition = ({ antibiotic }: SensitivityValues) =>
    positions.get(antibiotic) ?? antibiotics.length;
  return rows.toSorted((a, b) => getPosition(a) - getPosition(b));
}

export const findTest = (
  entry: MicrobiologyEntryOrder,
  orderTestId: number,
): CultureEntryTest | undefined => entry.tests.find((test) => test.orderTestId === orderTestId);

/** The values of a test's culture as entered; blank values without a test. */
export function toValues(test: CultureEntryTest | undefined): CultureValues {
  const culture = test?.culture;
  return {
    source: culture?.source ?? '',
    site: culture?.site ?? '',
    collected: readDateTime(culture?.collected ?? null),
    result: culture?.result ?? '',
    findings: (culture?.findings ?? []).map(({ code, quantity }) => ({
      code,
      quantity: quantity ?? '',
    })),
    organisms: (culture?.organisms ?? []).map((organism) => ({
      code: organism.code,
      quantity: organism.quantity ?? '',
      mark: organism.mark ?? '',
      comment: organism.comment ?? '',
      sensitivity: organism.sensitivity.map((reading) => ({
        antibiotic: reading.antibiotic,
        method: reading.method,
        mic: reading.mic ?? '',
        interpretation: reading.isManual ? (reading.interpretation ?? '') : '',
        reporting: reading.reporting,
        comment: reading.comment ?? '',
      })),
    })),
    comment: culture?.comment ?? '',
    preliminaryComment: culture?.preliminaryComment ?? '',
    // A released version keeps its reason; the next correction has its own.
    reasonCode: test?.isReleased ? '' : (culture?.reasonCode ?? ''),
    explanation: test?.isReleased ? '' : (culture?.explanation ?? ''),
  };
}

/** A culture in a few words: 'CULTURE, BLOOD: ESCHERICHIA COLI'. */
export function describeCulture(
  test: string,
  values: CultureValues,
  lists: MicrobiologyLists,
): string {
  const subjects = [
    ...values.organisms.map(({ code }) => findName(lists.organisms, code)),
    ...values.findings.map(({ code }) => findName(lists.findings, code)),
    values.result,
  ].filter((subject) => subject !== '');
  return subjects.length === 0 ? test : `${test}: ${subjects.join(' and ')}`;
}

type OrganismWrite = NonNullable<CultureWrite['organisms']>[number];
type SensitivityWrite = NonNullable<OrganismWrite['sensitivity']>[number];

const emptyToNull = (value: string) => value.trim() || null;

export const toBody = (values: CultureValues): CultureWrite => ({
  source: emptyToNull(values.source),
  site: emptyToNull(values.site),
  collected: writeDateTime(values.collected),
  result: emptyToNull(values.result),
  findings: values.findings.map(({ code, quantity }) => ({
    code,
    quantity: emptyToNull(quantity),
  })),
  organisms: values.organisms.map((organism) => ({
    code: emptyToNull(organism.code),
    quantity: emptyToNull(organism.quantity),
    mark: emptyToNull(organism.mark),
    comment: emptyToNull(organism.comment),
    sensitivity: organism.sensitivity.map((reading) => ({
      antibiotic: reading.antibiotic,
      method: reading.method as NonNullable<SensitivityWrite['method']>,
      mic: emptyToNull(reading.mic),
      interpretation: emptyToNull(reading.interpretation) as NonNullable<
        SensitivityWrite['interpretation']
      > | null,
      reporting: reading.reporting as NonNullable<SensitivityWrite['reporting']>,
      comment: emptyToNull(reading.comment),
    })),
  })),
  comment: emptyToNull(values.comment),
  preliminaryComment: emptyToNull(values.preliminaryComment),
  reasonCode: emptyToNull(values.reasonCode),
  explanation: emptyToNull(values.explanation),
});
